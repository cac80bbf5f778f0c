; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; The first i1 is the carry. setp returns the relation and its opposite. For floats "ne" is false if one operand is a NaN, and
; its opposite is true.
target triple = "x86_64-pc-linux-gnu"

define i32 @both(float %a, float %b) {
  %x = call i32 asm "{.reg .pred p, q; setp.ne.f32 p|q, $1, $2; selp.u32 $0, 1, 0, q;}", "=r,f,f"(float %a, float %b)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx(
; CHECK: alloca i1
; CHECK: [[P:%.*]] = alloca i1
; CHECK: [[Q:%.*]] = alloca i1
; CHECK: [[HOLDS:%.*]] = fcmp one float
; CHECK: [[NOT:%.*]] = xor i1 [[HOLDS]], true
; CHECK: store i1 [[HOLDS]], ptr [[P]]
; CHECK: store i1 [[NOT]], ptr [[Q]]
; CHECK: [[CONDITION:%.*]] = load i1, ptr [[Q]]
; CHECK: select i1 [[CONDITION]], i32 1, i32 0
