; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; The runtime numbers its reductions: 1 and 2 are the unsigned minimum and maximum, 3 and 4 the
; signed ones.
target triple = "x86_64-pc-linux-gnu"

define i32 @least(i32 %v, i32 %mask) {
  %x = call i32 asm sideeffect "redux.sync.min.u32 $0, $1, $2;", "=r,r,r"(i32 %v, i32 %mask)
  %y = call i32 asm sideeffect "redux.sync.min.s32 $0, $1, $2;", "=r,r,r"(i32 %v, i32 %mask)
  ret i32 %y
}

; CHECK: define internal i32 @cdp.ptx(i32 %0, i32 %1)
; CHECK: store i32 %0, ptr [[V:%.*]]
; CHECK: store i32 %1, ptr [[M:%.*]]
; CHECK: [[MASK:%.*]] = load i32, ptr [[M]]
; CHECK: [[VALUE:%.*]] = load i32, ptr [[V]]
; CHECK: call i32 @__cdp_reduce32(i32 [[MASK]], i32 [[VALUE]], i32 1)
; CHECK: define internal i32 @cdp.ptx.1(
; CHECK: call i32 @__cdp_reduce32(i32 {{.*}}, i32 {{.*}}, i32 3)
