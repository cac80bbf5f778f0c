; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; All lanes take the same side. So the phi has the shape of its incoming values, if these have one
; shape.

; CHECK: affine 1: %x = phi
; CHECK: uniform: %u = phi
; CHECK: varying: %other = phi
define void @cdp.thread.join(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %n, 100
  br i1 %c, label %left, label %right
left:
  call void @use(i32 1)
  %i = add i32 %t, %n
  br label %join
right:
  call void @use(i32 2)
  %j = add i32 %t, %m
  br label %join
join:
  %x = phi i32 [ %i, %left ], [ %j, %right ]
  %u = phi i32 [ %n, %left ], [ %m, %right ]
  %other = phi i32 [ %n, %left ], [ %j, %right ]
  call void @use(i32 %x)
  call void @use(i32 %u)
  call void @use(i32 %other)
  ret void
}
