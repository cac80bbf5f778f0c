; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Without a divergent branch, all lanes of the warp are there.  So the mask can name no others, if all
; lanes have the same one.

; CHECK-NOT: refused
; CHECK: kernel warp: plan for blocks of one row
; CHECK: refused: the mask of a vote may name others than the threads there
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %x = call i32 @cdp_abi_ballot(i32 %n, i32 1)
  call void @use(i32 %x)
  ret void
}
define void @cdp.thread.lanes(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  %lower = lshr i32 -1, %t
  %x = call i32 @cdp_abi_ballot(i32 %lower, i32 1)
  call void @use(i32 %x)
  ret void
}
