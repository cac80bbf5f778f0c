; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; In a kernel with warp operations, threadIdx.x >> 5 is uniform in each warp, and so is a comparison
; of threadIdx.x with a multiple of 32. The number of the half warp is uniform in each vector only.

; CHECK: warp: %warp = lshr i32 {{.*}}, 5
; CHECK: vector: %half = lshr i32 {{.*}}, 4
; CHECK: warp: %first = icmp
; CHECK: warp: %chosen = select
define void @cdp.thread.warps(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  %warp = lshr i32 %t, 5
  call void @use(i32 %warp)
  %half = lshr i32 %t, 4
  call void @use(i32 %half)
  %first = icmp ult i32 %t, 64
  %n = call i32 @n(ptr %params)
  %chosen = select i1 %first, i32 %n, i32 0
  call void @use(i32 %chosen)
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
