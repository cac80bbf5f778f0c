; RUN: cdpcc-opt --passes=instrument-optimized --check=space %s | FileCheck %s
; If the distance from the base is a multiple of the required alignment, the base is tested: one
; test serves a whole array. Otherwise the address is tested. Accesses of one byte need no test.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @at_the_base
; CHECK: [[NUMBER:%.*]] = ptrtoint ptr %p to i64
; CHECK: [[LOW:%.*]] = and i64 [[NUMBER]], 7
define double @at_the_base(ptr %p, i64 %i) {
  %q = getelementptr double, ptr %p, i64 %i
  %x = load double, ptr %q, align 8
  ret double %x
}

; CHECK-LABEL: @at_the_address
; CHECK: [[NUMBER:%.*]] = ptrtoint ptr %q to i64
; CHECK: [[LOW:%.*]] = and i64 [[NUMBER]], 7
define double @at_the_address(ptr %p, i64 %i) {
  %q = getelementptr i8, ptr %p, i64 %i
  %x = load double, ptr %q, align 8
  ret double %x
}

; CHECK-LABEL: @byte
; CHECK-NOT: ptrtoint
; CHECK: ret i8
define i8 @byte(ptr %p) {
  %x = load i8, ptr %p, align 1
  ret i8 %x
}
