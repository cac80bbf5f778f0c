; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; All lanes store to one address, and only the value of the last active lane remains. So one scalar
; store is enough.

; CHECK: load of 4 bytes: contiguous{{$}}
; CHECK: store of 4 bytes: uniform{{$}}
define void @cdp.thread.last(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %g)
  store float %x, ptr %out, align 4
  ret void
}
