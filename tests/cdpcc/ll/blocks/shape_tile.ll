; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A vote within tiles of eight lanes has several results in a warp.

; CHECK: varying: %votes = call i32 @cdp_abi_ballot
define void @cdp.thread.tile(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  %bit = zext i1 %c to i32
  %start = and i32 %t, 24
  %mask = shl i32 255, %start
  %votes = call i32 @cdp_abi_ballot(i32 %mask, i32 %bit)
  call void @use(i32 %votes)
  ret void
}
