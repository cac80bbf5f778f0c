; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A mask that the program computes may name lanes that do not reach the operation.

; CHECK: refused: the mask of a vote may name others than the threads there
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %x = call i32 @cdp_abi_ballot(i32 %n, i32 1)
  call void @use(i32 %x)
  ret void
}
