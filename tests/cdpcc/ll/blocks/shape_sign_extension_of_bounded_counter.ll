; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The sum that gives a grid-stride loop's counter may wrap, but not between neighbouring threads whose
; counters are less than n, or greater. A sum of such a counter is tested only if it may wrap itself. A
; product that does not wrap proves the same of its factor. Otherwise a test must show it: if the bound is
; only known to be different, if it is a bound of numbers of other signedness, or if the counters differ by
; more than one.

; CHECK: shapes of bounded
; CHECK: affine 1 by flags: %wide = sext
; CHECK: affine 1 by test: %as.unsigned = zext
; CHECK: affine 1 by flags: %wide.sum = sext
; CHECK: affine 1 by test: %wide.wrapping.sum = sext
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
  %sum = add nsw i32 %i, %n
  %wide.sum = sext i32 %sum to i64
  call void @use.long(i64 %wide.sum)
  %wrapping.sum = add i32 %i, %blocks
  %wide.wrapping.sum = sext i32 %wrapping.sum to i64
  call void @use.long(i64 %wide.wrapping.sum)
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
; CHECK: shapes of backwards
; CHECK: affine -1 by flags: %wide = zext nneg
define void @cdp.thread.backwards(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %s = call i32 @size.x()
  %start = sub i32 %n, %g
  %any = icmp sgt i32 %start, -1
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %start, %0 ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  call void @use.long(i64 %wide)
  %next = sub i32 %i, %s
  %more = icmp sgt i32 %next, -1
  br i1 %more, label %loop, label %end
end:
  ret void
}
; CHECK: shapes of every.second
; CHECK: affine 2 by test: %wide = sext
define void @cdp.thread.every.second(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %s = call i32 @size.x()
  %start = add i32 %g, %g
  %any = icmp slt i32 %start, %n
  br i1 %any, label %loop, label %end
loop:
  %i = phi i32 [ %start, %0 ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  call void @use.long(i64 %wide)
  %next = add i32 %i, %s
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
declare void @use.long(i64)
