; RUN: cat %p %s | env CDPCC_VECTORS=1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; In a grid-stride loop the data of the next iteration is far away, and the processor does not
; predict its address. The distance of the prefetch is one kilobyte, but at most eight iterations.

; CHECK: loop: all-active iterations, then a masked remainder; prefetches 8 iterations ahead
define void @cdp.thread.each(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %s = call i32 @size.x()
  %blocks = call i32 @grid.x()
  %threads = mul i32 %s, %blocks
  br label %loop
loop:
  %i = phi i32 [ %g, %0 ], [ %next, %loop ]
  %x = call float @get(ptr %in, i32 %i)
  %y = fmul float %x, 2.0
  call void @set(ptr %in, i32 %i, float %y)
  %next = add nuw nsw i32 %i, %threads
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
