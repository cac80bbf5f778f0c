; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The sum that gives a grid-stride loop's counter may wrap, but not between neighbouring threads whose
; counters are less than n. A product that does not wrap proves the same of its factor. Otherwise a test
; must show it: if the bound is only known to be different, or if it is a bound of unsigned numbers.

; CHECK: shapes of bounded
; CHECK: affine 1 by flags: %wide = sext
; CHECK: affine 1 by test: %as.unsigned = zext
define void @cdp.thread.bounded(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %s = call i32 @size.x()
  %blocks = call i32 @grid.x()
  %all = mul i32 %s, %blocks
  %any = icmp slt i32 %g, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %g, %0 ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  call void @use.long(i64 %wide)
  %as.unsigned = zext i32 %i to i64
  call void @use.long(i64 %as.unsigned)
  %next = add i32 %i, %all
  %more = icmp sge i32 %next, %n
  br i1 %more, label %end, label %loop
end:
  ret void
}
; CHECK: shapes of product
; CHECK: affine 1 by test: %wide = sext
; CHECK: affine 3 by flags: %wide.product = sext
define void @cdp.thread.product(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %s = call i32 @size.x()
  br label %loop
loop:
  %i = phi i32 [ %g, %0 ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  call void @use.long(i64 %wide)
  %product = mul nsw i32 %i, 3
  %wide.product = sext i32 %product to i64
  call void @use.long(i64 %wide.product)
  %next = add i32 %i, %s
  %more = icmp ne i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare void @use.long(i64)
