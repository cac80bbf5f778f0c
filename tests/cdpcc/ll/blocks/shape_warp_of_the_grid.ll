; RUN: cat %p %s | env CDPCC_SIZES=128x4x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; (blockIdx.x * 128 + threadIdx.x) / 32 is the warp's number in the grid: a branch on it divides no warp.

; CHECK: kernel of.grid: plan for blocks of 128x4x1
define void @cdp.thread.of.grid(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %y = call i32 @thread.y()
  %x = call i32 @thread.x()
  %block = call i32 @block.x()
  %start = shl i32 %block, 7
  %number = add i32 %start, %x
  %warp = lshr i32 %number, 5
  %few = icmp ult i32 %warp, %n
  br i1 %few, label %shuffle, label %end
shuffle:
  %moved = call i32 @cdp_abi_shfl32(i32 -1, i32 %y, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %moved)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
