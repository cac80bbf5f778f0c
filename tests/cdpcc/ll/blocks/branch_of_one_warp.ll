; RUN: cat %p %s | env CDPCC_SIZES=128x1x1 CDPCC_VECTORS=2 \
; RUN:   cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s --check-prefix=ONE
; RUN: cat %p %s | env CDPCC_SIZES=128x1x1 CDPCC_VECTORS=4 \
; RUN:   cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s --check-prefix=TWO
; A branch whose condition is the same for each warp. If a chunk is one warp, its lanes take one edge
; together. The block has 128 threads, so no chunk has inactive lanes, and there is no masked loop.
; With chunks of two warps the long side is assumed, and a chunk for which that does not hold restarts.

; ONE: region 1: chunk loop without masks{{$}}
; TWO: region 1: chunk loop without masks, then a masked one
define void @cdp.thread.first_warps(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %warp = lshr i32 %t, 5
  %is.first = icmp slt i32 %warp, %n
  br i1 %is.first, label %long, label %end
long:
  %x = call float @get(ptr %in, i32 %t)
  %a = fmul float %x, %x
  %b = fadd float %a, 1.0
  %c = fmul float %b, %x
  %d = fadd float %c, %a
  %e = fmul float %d, %b
  br label %end
end:
  %result = phi float [ 0.0, %0 ], [ %e, %long ]
  call void @cdp_abi_syncwarp(i32 -1)
  call void @set(ptr %out, i32 %t, float %result)
  ret void
}
