; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A loop with gathers, which lanes leave at different times: the last lanes run one after the other.
; Loops whose iterations cost too little stay masked to their end, as do loops that have no plain
; scalar copy: those with volatile accesses, atomic operations or calls.

; CHECK-LABEL: kernel follow:
; CHECK: loop: divergent, masked, the last {{[0-9]+}} one after the other: threads leave it
define void @cdp.thread.follow(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ %g, %0 ], [ %next, %loop ]
  %at = call ptr @element(ptr %in, i32 %k)
  %next = load i32, ptr %at, align 4
  %goes.on = icmp sge i32 %next, 0
  br i1 %goes.on, label %loop, label %end
end:
  %to = call ptr @element(ptr %out, i32 %g)
  store i32 %k, ptr %to, align 4
  ret void
}

; CHECK-LABEL: kernel halve:
; CHECK: loop: divergent, masked: threads leave it
define void @cdp.thread.halve(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %to = call ptr @element(ptr %in, i32 %g)
  %x = load i32, ptr %to, align 4
  br label %loop
loop:
  %k = phi i32 [ %x, %0 ], [ %next, %loop ]
  %next = lshr i32 %k, 1
  %goes.on = icmp ugt i32 %next, 7
  br i1 %goes.on, label %loop, label %end
end:
  store i32 %next, ptr %to, align 4
  ret void
}

; CHECK-LABEL: kernel count:
; CHECK: loop: divergent, masked: threads leave it
define void @cdp.thread.count(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ %g, %0 ], [ %next, %loop ]
  %at = call ptr @element(ptr %in, i32 %k)
  %next = load i32, ptr %at, align 4
  %to = call ptr @element(ptr %out, i32 %k)
  %old = atomicrmw add ptr %to, i32 1 monotonic, align 4
  %goes.on = icmp sge i32 %next, 0
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
