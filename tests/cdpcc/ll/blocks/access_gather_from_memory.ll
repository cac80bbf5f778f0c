; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A loaded index is unknown. The load of the index itself is contiguous.

; CHECK: load of 4 bytes: contiguous{{$}}
; CHECK: load of 4 bytes: gather: the index comes from memory
; CHECK: store of 4 bytes: contiguous{{$}}
define void @cdp.thread.gather(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %out, i32 %g)
  %number = load i32, ptr %at, align 4
  %x = call float @get(ptr %in, i32 %number)
  store float %x, ptr %at, align 4
  ret void
}
