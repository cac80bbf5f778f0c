; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A loop with two entries gets a single entry, and a value that selects where to continue.

; CHECK-NOT: refused
; CHECK: loop: divergent, masked
define void @cdp.thread.jump(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %c = icmp slt i32 %m, 10
  br i1 %c, label %left, label %right
left:
  %i = phi i32 [ 0, %0 ], [ %j, %right ]
  call void @use(i32 %i)
  %i.next = add nuw nsw i32 %i, 1
  br label %right
right:
  %j = phi i32 [ 1, %0 ], [ %i.next, %left ]
  call void @use(i32 %j)
  %goes.on = icmp slt i32 %j, %n
  br i1 %goes.on, label %left, label %end
end:
  ret void
}
