; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; An operation of tiles may stand in a branch that no tile is divided by.

; CHECK: kernel whole: plan for
; CHECK: refused: threads of a warp may diverge before a shuffle
define void @cdp.thread.whole(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %row = lshr i32 %t, 3
  %c = icmp slt i32 %row, %n
  br i1 %c, label %work, label %end
work:
  %first = and i32 %t, 24
  %tile = shl i32 255, %first
  %moved = call i32 @cdp_abi_shfl32(i32 %tile, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %moved)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}

define void @cdp.thread.divided(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %pair = lshr i32 %t, 2
  %c = icmp slt i32 %pair, %n
  br i1 %c, label %work, label %end
work:
  %first = and i32 %t, 24
  %tile = shl i32 255, %first
  %moved = call i32 @cdp_abi_shfl32(i32 %tile, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %moved)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
