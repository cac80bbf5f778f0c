; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A thread that finds a slot of a hash table free takes it and leaves the loop.  Nothing frees a slot, so no
; thread can end the search of another one. A search without a counter that ends it may wait for another grid.

; CHECK: refused: a loop in it waits
; CHECK: kernel two.exits: plan
; CHECK: loop: divergent, masked
; CHECK: kernel or: plan
; CHECK: loop: divergent, masked
; CHECK: kernel fields: plan
; CHECK: loop: divergent, masked
define void @cdp.thread.insert(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %key = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %other ]
  %at = call ptr @element(ptr %in, i32 %slot)
  %pair = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %free = icmp eq i32 %found, 0
  %own = icmp eq i32 %found, %key
  %ends = or i1 %free, %own
  br i1 %ends, label %end, label %other
other:
  %more = add i32 %slot, 1
  %next = and i32 %more, %n
  br label %loop
end:
  ret void
}
define void @cdp.thread.two.exits(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %n = call i32 @n(ptr %params)
  %key = call i32 @global.x()
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %other ]
  %at = call ptr @element(ptr %in, i32 %slot)
  %pair = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %other
other:
  %next = add i32 %slot, 1
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
; Both exits in one condition.
define void @cdp.thread.or(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %n = call i32 @n(ptr %params)
  %key = call i32 @global.x()
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %loop ]
  %at = call ptr @element(ptr %in, i32 %slot)
  %pair = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  %next = add i32 %slot, 1
  %past = icmp uge i32 %next, %n
  %ends = select i1 %done, i1 true, i1 %past
  br i1 %ends, label %end, label %loop
end:
  ret void
}
; The other field of each place is written, too.
define void @cdp.thread.fields(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %key = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %loop ]
  %wide = zext i32 %slot to i64
  %at = getelementptr { i32, i32 }, ptr %in, i64 %wide
  %pair = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  %next = add i32 %slot, 1
  %past = icmp uge i32 %next, %n
  %ends = select i1 %done, i1 true, i1 %past
  br i1 %ends, label %end, label %loop
end:
  %value = getelementptr i8, ptr %at, i64 4
  store i32 0, ptr %value, align 4
  ret void
}
