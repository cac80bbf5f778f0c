; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; All votes use a ballot. "uni" is true if all lanes of the mask have the same predicate, true or
; false.
target triple = "x86_64-pc-linux-gnu"

define i32 @alike(i32 %a, i32 %mask) {
  %x = call i32 asm sideeffect "{.reg .pred p, q; setp.ne.u32 p, $1, 0; vote.sync.uni.pred q, p, $2; selp.u32 $0, 1, 0, q;}", "=r,r,r"(i32 %a, i32 %mask)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx(
; CHECK: [[VOTE:%.*]] = zext i1 {{.*}} to i32
; CHECK: [[BALLOT:%.*]] = call i32 @__ballot_sync(i32 [[MASK:%.*]], i32 [[VOTE]])
; CHECK: [[NONE:%.*]] = icmp eq i32 [[BALLOT]], 0
; CHECK: [[ALL:%.*]] = icmp eq i32 [[BALLOT]], [[MASK]]
; CHECK: [[UNI:%.*]] = or i1 [[ALL]], [[NONE]]
; CHECK: store i1 [[UNI]]
