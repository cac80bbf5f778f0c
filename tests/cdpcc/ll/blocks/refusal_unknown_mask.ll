; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A mask that the program computes may name lanes that do not take the branch.

; CHECK: refused: the mask of a vote may name others than the threads there
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, 20
  br i1 %c, label %work, label %end
work:
  %x = call i32 @cdp_abi_ballot(i32 %n, i32 1)
  call void @use(i32 %x)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
