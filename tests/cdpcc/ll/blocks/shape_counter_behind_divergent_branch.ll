; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A barrier in two loops.  The branch after it reconverges before the outer counter is defined again, so
; the counter stays uniform.  A value that is defined in the branch becomes varying.

; CHECK: shapes of loops
; CHECK: uniform:  %i = phi
; CHECK: uniform:  %j = phi
; CHECK: varying:  %last = phi
; CHECK: uniform:  %i.next = add
define void @cdp.thread.loops(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %k = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %wide = zext i32 %t to i64
  %at = getelementptr i32, ptr %k, i64 %wide
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %before, label %end
before:
  %runs = icmp sgt i32 %m, 0
  br label %outer
outer:
  %i = phi i32 [ 0, %before ], [ %i.next, %outer.latch ]
  %kept = phi i32 [ 7, %before ], [ %kept.next, %outer.latch ]
  br i1 %runs, label %inner, label %outer.latch
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %old = phi i32 [ %kept, %outer ], [ %last, %inner.latch ]
  call void @cdp_abi_syncthreads()
  %x = load i32, ptr %at, align 4
  %big = icmp ugt i32 %x, 5
  br i1 %big, label %set, label %inner.latch
set:
  store i32 1, ptr %at, align 4
  br label %inner.latch
inner.latch:
  %last = phi i32 [ %old, %inner ], [ %i, %set ]
  %j.next = add nuw nsw i32 %j, 1
  %done = icmp eq i32 %j.next, %m
  br i1 %done, label %outer.latch, label %inner
outer.latch:
  %kept.next = phi i32 [ %kept, %outer ], [ %last, %inner.latch ]
  %i.next = add nuw nsw i32 %i, 1
  %ends = icmp eq i32 %i.next, %n
  br i1 %ends, label %end, label %outer
end:
  %result = phi i32 [ 7, %0 ], [ %kept.next, %outer.latch ]
  call void @use(i32 %result)
  ret void
}
