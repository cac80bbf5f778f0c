; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; All lanes may leave in the same iteration, but by two exits. So no single node decides for all
; lanes.

; CHECK: loop: divergent, masked: it has several exits
define void @cdp.thread.find(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %at = call ptr @element(ptr %in, i32 %k)
  %x = load i32, ptr %at, align 4
  %found = icmp eq i32 %x, %m
  br i1 %found, label %end, label %latch
latch:
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  %where = phi i32 [ %k, %loop ], [ -1, %latch ]
  %to = call ptr @element(ptr %out, i32 %g)
  store i32 %where, ptr %to, align 4
  ret void
}
