; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A shuffle permutes the lanes. So an affine value does not stay affine, but a uniform value stays
; uniform.  After a broadcast all lanes of the warp have one value, but not if lanes of a tile have it.

; CHECK: varying: %moved = call i32 @cdp_abi_shfl32
; CHECK: uniform: %same = call i32 @cdp_abi_shfl32
; CHECK: warp: %first = call i32 @cdp_abi_shfl32
; CHECK: warp: %chosen = call i32 @cdp_abi_shfl32
; CHECK: varying: %narrow = call i32 @cdp_abi_shfl32
; CHECK: varying: %each = call i32 @cdp_abi_shfl32
define void @cdp.thread.shuffle(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %moved = call i32 @cdp_abi_shfl32(i32 -1, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %moved)
  %same = call i32 @cdp_abi_shfl32(i32 -1, i32 %n, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %same)
  %first = call i32 @cdp_abi_shfl32(i32 -1, i32 %t, i32 0, i32 32, i32 0, ptr null)
  call void @use(i32 %first)
  %chosen = call i32 @cdp_abi_shfl32(i32 -1, i32 %t, i32 %n, i32 32, i32 0, ptr null)
  call void @use(i32 %chosen)
  %narrow = call i32 @cdp_abi_shfl32(i32 -1, i32 %t, i32 0, i32 8, i32 0, ptr null)
  call void @use(i32 %narrow)
  %each = call i32 @cdp_abi_shfl32(i32 -1, i32 %moved, i32 %t, i32 32, i32 0, ptr null)
  call void @use(i32 %each)
  ret void
}
