; RUN: cdpcc-opt --passes=divide %s | FileCheck %s
; No division traps or is poison. Quotient and remainder by 0 are all ones. The least number divided
; by -1 is itself.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @signed
; CHECK: [[ABOVE:%.*]] = add i32 %b, 1
; CHECK: [[SPECIAL:%.*]] = icmp ult i32 [[ABOVE]], 2
; CHECK: [[DIVISOR:%.*]] = select i1 [[SPECIAL]], i32 1, i32 %b
; CHECK: [[QUOTIENT:%.*]] = sdiv i32 %a, [[DIVISOR]]
; CHECK: [[NEGATED:%.*]] = sub i32 0, %a
; CHECK: [[ZERO:%.*]] = icmp eq i32 %b, 0
; CHECK: [[OTHER:%.*]] = select i1 [[ZERO]], i32 -1, i32 [[NEGATED]]
; CHECK: select i1 [[SPECIAL]], i32 [[OTHER]], i32 [[QUOTIENT]]
define i32 @signed(i32 %a, i32 %b) {
  %q = sdiv i32 %a, %b
  ret i32 %q
}

; A remainder by -1 is computed as a remainder by 1.
; CHECK-LABEL: @signed_remainder
; CHECK: [[REMAINDER:%.*]] = srem i32 %a,
; CHECK: select i1 {{.*}}, i32 -1, i32 [[REMAINDER]]
define i32 @signed_remainder(i32 %a, i32 %b) {
  %r = srem i32 %a, %b
  ret i32 %r
}

; 64-bit operands that both fit into 32 bits are divided as 32-bit numbers.
; CHECK-LABEL: @wide
; CHECK: [[SHORT:%.*]] = icmp ule i64 %a, 4294967295
; CHECK: select i1 [[SHORT]], i64 4294967295, i64 -1
define i64 @wide(i64 %a, i64 %b) {
  %q = udiv i64 %a, %b
  ret i64 %q
}

; CHECK-LABEL: @by_seven
; CHECK-NEXT: sdiv i32 %a, 7
; CHECK-NEXT: ret
define i32 @by_seven(i32 %a) {
  %q = sdiv i32 %a, 7
  ret i32 %q
}

; CHECK-LABEL: @by_minus_one
; CHECK: [[NEGATED:%.*]] = sub i32 0, %a
; CHECK: ret
define i32 @by_minus_one(i32 %a) {
  %q = sdiv i32 %a, -1
  ret i32 %q
}
