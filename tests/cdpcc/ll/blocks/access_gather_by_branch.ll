; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The index is a phi after a divergent branch. The reason names the branch and not the sums that the
; phi merges.

; CHECK: load of 4 bytes: gather: the index is chosen by a branch, or changes in a loop;
; CHECK-SAME: choose it by a conditional expression, or count by a constant
define void @cdp.thread.branch(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %c = icmp slt i32 %g, %n
  br i1 %c, label %left, label %right
left:
  call void @use(i32 1)
  %i = add nsw i32 %g, %m
  br label %join
right:
  call void @use(i32 2)
  %j = sub nsw i32 %g, %n
  br label %join
join:
  %k = phi i32 [ %i, %left ], [ %j, %right ]
  %x = call float @get(ptr %in, i32 %k)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
