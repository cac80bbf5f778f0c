; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Edges are left out, but a test that fails later must not restart the chunk, because slots may have
; changed.

; CHECK: region 1: 3 nodes
; CHECK-NEXT: path: split, 4 vectors, 1 masked, edges left out, early exit{{$}}
define void @cdp.thread.guard(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %out, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  %c = icmp slt i32 %g, %n
  br i1 %c, label %work, label %end
work:
  %x = call float @get(ptr %in, i32 %g)
  %y = fmul float %x, %x
  call void @set(ptr %in, i32 %g, float %y)
  br label %end
end:
  ret void
}
