; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A thread may wait until another one frees a slot, perhaps a lane of its own vector.

; CHECK-NOT: plan
; CHECK: refused: a loop in it waits for what other threads do
; A plain store frees the slot.
define void @cdp.thread.pool(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %key = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %other ]
  %at = call ptr @element(ptr %in, i32 %slot)
  %pair = cmpxchg ptr %at, i32 0, i32 1 monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %other
other:
  %more = add i32 %slot, 1
  %next = and i32 %more, %n
  br label %loop
end:
  store i32 0, ptr %at, align 4
  ret void
}
; A compare-and-swap with another constant frees it.
; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.swaps(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %key = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %other ]
  %at = call ptr @element(ptr %in, i32 %slot)
  %pair = cmpxchg ptr %at, i32 0, i32 1 monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %other
other:
  %more = add i32 %slot, 1
  %next = and i32 %more, %n
  br label %loop
end:
  %freed = cmpxchg ptr %at, i32 1, i32 0 monotonic monotonic, align 4
  ret void
}
; A lock, which another grid may release.
; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.lock(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  br label %loop
loop:
  %pair = cmpxchg ptr %in, i32 0, i32 1 monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
; The thread continues after a success, until it finds another value.
; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.other(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %key = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %other ]
  %at = call ptr @element(ptr %in, i32 %slot)
  %pair = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %seen = icmp eq i32 %found, 7
  br i1 %seen, label %end, label %other
other:
  %more = add i32 %slot, 1
  %next = and i32 %more, %n
  br label %loop
end:
  ret void
}
; The store may be to the first field of another slot.
; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.fields(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %key = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  br label %loop
loop:
  %slot = phi i32 [ %key, %0 ], [ %next, %other ]
  %wide = zext i32 %slot to i64
  %at = getelementptr { i32, i32 }, ptr %in, i64 %wide
  %pair = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic, align 4
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %other
other:
  %more = add i32 %slot, 1
  %next = and i32 %more, %n
  br label %loop
end:
  %value = getelementptr i8, ptr %at, i64 8
  store i32 0, ptr %value, align 4
  ret void
}
