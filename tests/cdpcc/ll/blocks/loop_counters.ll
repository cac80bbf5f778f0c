; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Lanes leave a search at different times and take the counter with them: it is counted as a vector.
; A number that does not grow by a constant is not, nor is that of a loop which all lanes leave
; together.

; CHECK: regions of search
; CHECK: counts by 1: %k = phi i32
; CHECK-NOT: counts by
; CHECK: regions of product
; CHECK-NOT: counts by
; CHECK: regions of together
; CHECK-NOT: counts by
define void @cdp.thread.search(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = phi i32 [ %g, %0 ], [ %link, %loop ]
  %from = call ptr @element(ptr %in, i32 %at)
  %link = load i32, ptr %from, align 4
  %next = add i32 %k, 1
  %goes.on = icmp sge i32 %link, 0
  br i1 %goes.on, label %loop, label %end
end:
  %to = call ptr @element(ptr %out, i32 %g)
  store i32 %k, ptr %to, align 4
  ret void
}
define void @cdp.thread.product(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 1, %0 ], [ %next, %loop ]
  %at = phi i32 [ %g, %0 ], [ %link, %loop ]
  %from = call ptr @element(ptr %in, i32 %at)
  %link = load i32, ptr %from, align 4
  %next = mul i32 %k, 3
  %goes.on = icmp sge i32 %link, 0
  br i1 %goes.on, label %loop, label %end
end:
  %to = call ptr @element(ptr %out, i32 %g)
  store i32 %k, ptr %to, align 4
  ret void
}
define void @cdp.thread.together(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = add i32 %g, %k
  call void @set(ptr %out, i32 %at, float 1.0)
  %next = add i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
