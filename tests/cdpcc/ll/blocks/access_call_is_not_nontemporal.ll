; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Several blocks of a kernel that calls functions are never run by one call of the entry, behind
; which the fence is.

; CHECK: store of 4 bytes: contiguous{{$}}
; CHECK-NOT: nontemporal
define void @cdp.thread.call(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @use(i32 %g)
  call void @set(ptr %out, i32 %g, float 1.0)
  ret void
}
