; RUN: cdpcc-opt --passes=shift %s | FileCheck %s
; PTX defines shifts by the width or more. In LLVM they are poison.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @left
; CHECK: [[WITHIN:%.*]] = icmp ult i32 %n, 32
; CHECK: [[SHIFTED:%.*]] = shl i32 %x, %n
; CHECK: [[RESULT:%.*]] = select i1 [[WITHIN]], i32 [[SHIFTED]], i32 0
; CHECK: ret i32 [[RESULT]]
define i32 @left(i32 %x, i32 %n) {
  %y = shl i32 %x, %n
  ret i32 %y
}

; CHECK-LABEL: @right
; CHECK: [[WITHIN:%.*]] = icmp ult i64 %n, 64
; CHECK: [[SHIFTED:%.*]] = lshr i64 %x, %n
; CHECK: select i1 [[WITHIN]], i64 [[SHIFTED]], i64 0
define i64 @right(i64 %x, i64 %n) {
  %y = lshr i64 %x, %n
  ret i64 %y
}

; All bits become the sign bit, so the amount is clamped instead.
; CHECK-LABEL: @right_signed
; CHECK: [[AMOUNT:%.*]] = call i32 @llvm.umin.i32(i32 %n, i32 31)
; CHECK: ashr i32 %x, [[AMOUNT]]
define i32 @right_signed(i32 %x, i32 %n) {
  %y = ashr i32 %x, %n
  ret i32 %y
}

; CHECK-LABEL: @of_128_bits
; CHECK: icmp ult i128 %n, 128
define i128 @of_128_bits(i128 %x, i128 %n) {
  %y = shl i128 %x, %n
  ret i128 %y
}

; CHECK-LABEL: @by_a_constant
; CHECK-NEXT: shl i32 %x, 31
; CHECK-NEXT: ret
define i32 @by_a_constant(i32 %x) {
  %y = shl i32 %x, 31
  ret i32 %y
}

; CHECK-LABEL: @by_a_large_constant
; CHECK: select i1 {{.*}}, i32 {{.*}}, i32 0
define i32 @by_a_large_constant(i32 %x) {
  %y = shl i32 %x, 32
  ret i32 %y
}
