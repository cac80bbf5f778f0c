; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A loop that waits for a volatile value, which one thread may also read for the others. A loop does not
; wait if each iteration reads another address, or if no thread stores the value between two barriers.

; CHECK: refused: a loop in it waits for what other threads do
; CHECK-NEXT: refused: a loop in it waits for what other threads do
; CHECK-NEXT: refused: a loop in it waits for what other threads do
; CHECK-NOT: refused
; CHECK: kernel searches: plan for
; CHECK-NOT: refused
; CHECK: kernel meets: plan for
define void @cdp.thread.polls(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  br label %loop
loop:
  %x = load volatile i32, ptr %in, align 4
  %waits = icmp eq i32 %x, 0
  br i1 %waits, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.polls.shared(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  store volatile i32 1, ptr %s, align 4
  br label %loop
loop:
  %x = load volatile i32, ptr %s, align 4
  %waits = icmp eq i32 %x, 0
  br i1 %waits, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.tells(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %s = call ptr @shared()
  %t = call i32 @thread.x()
  %first = icmp eq i32 %t, 0
  br label %loop
loop:
  call void @cdp_abi_syncthreads()
  br i1 %first, label %look, label %meet
look:
  %x = load volatile i32, ptr %in, align 4
  store i32 %x, ptr %s, align 4
  br label %meet
meet:
  call void @cdp_abi_syncthreads()
  %y = load i32, ptr %s, align 4
  %waits = icmp eq i32 %y, 0
  br i1 %waits, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.searches(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = call ptr @element(ptr %in, i32 %i)
  %x = load volatile i32, ptr %at, align 4
  %next = add nuw nsw i32 %i, 1
  %more = icmp eq i32 %x, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.meets(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %t = call i32 @thread.x()
  %first = icmp eq i32 %t, 0
  br label %loop
loop:
  call void @cdp_abi_syncthreads()
  br i1 %first, label %change, label %meet
change:
  %old = load volatile i32, ptr %s, align 4
  %less = sub i32 %old, 1
  store volatile i32 %less, ptr %s, align 4
  br label %meet
meet:
  call void @cdp_abi_syncthreads()
  %x = load volatile i32, ptr %s, align 4
  %more = icmp ne i32 %x, 0
  br i1 %more, label %loop, label %end
end:
  ret void
}
