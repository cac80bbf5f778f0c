; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Lanes leave the inner loop at different times and reconverge in the outer loop. Only live-out
; values of the inner loop are varying.

; CHECK: uniform: %i = phi
; CHECK: uniform: %k = phi
; CHECK: varying: %k.next.lcssa = phi
; CHECK: uniform: %i.next = add
; CHECK: uniform: %i.next.lcssa = phi
define void @cdp.thread.nest(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %t = call i32 @thread.x()
  br label %outer
outer:
  %i = phi i32 [ 0, %0 ], [ %i.next, %latch ]
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  call void @use(i32 %k)
  %k.next = add nuw nsw i32 %k, %m
  %more = icmp slt i32 %k.next, %t
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  call void @use(i32 %k.next)
  %goes.on = icmp slt i32 %i.next, %n
  br i1 %goes.on, label %outer, label %end
end:
  call void @use(i32 %i.next)
  ret void
}
