; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; In rows that are whole vectors, threadIdx.x / 32 may change within a warp.  In blocks of one row it is
; the warp's number, so these have a version although the kernel reads threadIdx.y.

; CHECK: refused: threads of a warp may diverge before a shuffle
; CHECK: kernel of.warps: plan for blocks of one row
define void @cdp.thread.of.warps(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %y = call i32 @thread.y()
  %x = call i32 @thread.x()
  %warp = udiv i32 %x, 32
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
