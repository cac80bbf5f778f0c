; RUN: cdpcc-opt --passes=yield %s | FileCheck %s
; A loop whose exit depends on an atomic operation waits for another thread, which must make
; progress. So the back edge yields. If a lock is free, the back edge is not reached.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @lock
; CHECK: cmpxchg
; CHECK: br i1 %done, label %out, label %[[BACK:.*]]
; CHECK: [[BACK]]:
; CHECK: call void @cdp_abi_yield
; CHECK-NEXT: br label %try
; CHECK: out:
; CHECK-NOT: cdp_abi_yield
; CHECK: ret void
define void @lock(ptr %p) {
  br label %try
try:
  %pair = cmpxchg ptr %p, i32 0, i32 1 seq_cst seq_cst
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %out, label %try
out:
  ret void
}

; This loop counts with an atomic operation, and its exit depends on its own counter.
; CHECK-LABEL: @counts
; CHECK-NOT: cdp_abi_yield
; CHECK: ret void
define void @counts(ptr %p, i32 %n) {
  br label %add
add:
  %i = phi i32 [ 0, %0 ], [ %next, %add ]
  %old = atomicrmw add ptr %p, i32 1 monotonic
  %next = add i32 %i, 1
  %end = icmp eq i32 %next, %n
  br i1 %end, label %out, label %add
out:
  ret void
}
