; RUN: cdpcc-opt --passes=carries %s | FileCheck %s
; A sum and the test of its carry become one operation, which the code generator does not have to
; look for. So do a difference and the comparison of its operands.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @sum(
; CHECK: %[[PAIR:.+]] = call { i64, i1 } @llvm.uadd.with.overflow.i64(i64 %a, i64 %b)
; CHECK-DAG: %[[SUM:.+]] = extractvalue { i64, i1 } %[[PAIR]], 0
; CHECK-DAG: %[[CARRY:.+]] = extractvalue { i64, i1 } %[[PAIR]], 1
; CHECK-NOT: icmp
; CHECK: store i64 %[[SUM]]
; CHECK: ret i1 %[[CARRY]]
define i1 @sum(i64 %a, i64 %b, ptr %to) {
  %sum = add i64 %a, %b
  store i64 %sum, ptr %to
  %carry = icmp ugt i64 %b, %sum
  ret i1 %carry
}

; The comparison may come first.
; CHECK-LABEL: @difference(
; CHECK: call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %a, i32 %b)
; CHECK-NOT: {{icmp|sub i32}}
; CHECK: ret i1
define i1 @difference(i32 %a, i32 %b, ptr %to) {
  %borrow = icmp ult i32 %a, %b
  %difference = sub i32 %a, %b
  store i32 %difference, ptr %to
  ret i1 %borrow
}

; These test no carry.
; CHECK-LABEL: @others(
; CHECK-NOT: overflow
; CHECK: ret i1
define i1 @others(i64 %a, i64 %b, i64 %c, <4 x i32> %v) {
  %sum = add i64 %a, %b
  %below = icmp ult i64 %sum, %c
  %signed = icmp slt i64 %sum, %a
  %wide = add <4 x i32> %v, %v
  %lanes = icmp ult <4 x i32> %wide, %v
  %lane = extractelement <4 x i1> %lanes, i32 0
  %one = and i1 %below, %signed
  %all = and i1 %one, %lane
  ret i1 %all
}
