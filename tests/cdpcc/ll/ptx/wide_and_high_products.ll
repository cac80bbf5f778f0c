; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; mul.wide returns the whole product and mul.hi its upper half; for signed types both operands are
; sign-extended. A plain product must not be widened.
target triple = "x86_64-pc-linux-gnu"

define i64 @wide(i32 %a, i32 %b) {
  %x = call i64 asm "mul.wide.s32 $0, $1, $2;", "=l,r,r"(i32 %a, i32 %b)
  ret i64 %x
}

define i32 @high(i32 %a, i32 %b) {
  %x = call i32 asm "mul.hi.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %x
}

define i32 @low(i32 %a, i32 %b) {
  %x = call i32 asm "mul.lo.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %x
}

; CHECK: define internal i64 @cdp.ptx(
; CHECK: [[A:%.*]] = sext i32 {{.*}} to i64
; CHECK: [[B:%.*]] = sext i32 {{.*}} to i64
; CHECK: mul i64 [[A]], [[B]]

; CHECK: define internal i32 @cdp.ptx.1(
; CHECK: zext i32 {{.*}} to i64
; CHECK: [[ALL:%.*]] = mul i64
; CHECK: [[HIGH:%.*]] = lshr i64 [[ALL]], 32
; CHECK: trunc i64 [[HIGH]] to i32

; CHECK: define internal i32 @cdp.ptx.2(
; CHECK-NOT: i64
; CHECK: mul i32
