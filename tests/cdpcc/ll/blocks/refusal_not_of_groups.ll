; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; __match_any_sync() names the lanes with the same value. A branch on what is computed from the value or
; from the result divides no group; a branch on the thread's number may.

; CHECK: kernel by.value: plan for
; CHECK: refused: the mask of a shuffle may name others than the threads there
declare i32 @cdp_abi_match_any32(i32, i32) convergent

define void @cdp.thread.by.value(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %v = urem i32 %t, 5
  %same = call i32 @cdp_abi_match_any32(i32 -1, i32 %v)
  %twice = mul i32 %v, %same
  %c = icmp slt i32 %twice, %n
  br i1 %c, label %work, label %end
work:
  %moved = call i32 @cdp_abi_shfl32(i32 %same, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %moved)
  br label %end
end:
  ret void
}

define void @cdp.thread.by.thread(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %v = urem i32 %t, 5
  %same = call i32 @cdp_abi_match_any32(i32 -1, i32 %v)
  %c = icmp slt i32 %t, %n
  br i1 %c, label %work, label %end
work:
  %moved = call i32 @cdp_abi_shfl32(i32 %same, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %moved)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
