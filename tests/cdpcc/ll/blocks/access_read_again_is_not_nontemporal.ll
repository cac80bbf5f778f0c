; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A kernel that reads the data that it writes needs it in the cache.

; CHECK: store of 4 bytes: contiguous{{$}}
; CHECK-NOT: nontemporal
define void @cdp.thread.add(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %g)
  %y = call float @get(ptr %out, i32 %g)
  %sum = fadd float %x, %y
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
