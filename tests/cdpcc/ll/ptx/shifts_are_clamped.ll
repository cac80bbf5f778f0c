; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; The amount has 32 bits for numbers of any width, and an amount above the width counts as the
; width. It must not be truncated to 16 bits first: a shift by 65536 would become a shift by 0.
target triple = "x86_64-pc-linux-gnu"

define i16 @left(i16 %a, i32 %n) {
  %x = call i16 asm "shl.b16 $0, $1, $2;", "=h,h,r"(i16 %a, i32 %n)
  ret i16 %x
}

; CHECK: define internal i16 @cdp.ptx(
; CHECK: [[LESS:%.*]] = icmp ult i32 [[N:%.*]], 16
; CHECK: [[AMOUNT:%.*]] = select i1 [[LESS]], i32 [[N]], i32 16
; CHECK: [[SHORT:%.*]] = trunc i32 [[AMOUNT]] to i16
; CHECK: shl i16 {{.*}}, [[SHORT]]
