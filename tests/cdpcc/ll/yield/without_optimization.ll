; RUN: cdpcc-opt --passes=yield -O0 %s | FileCheck %s
; RUN: cdpcc-opt --passes=yield %s | FileCheck %s --check-prefix=OPTIMIZED
; Without optimization the condition of a loop is in memory, and its dependences are not visible. So
; any loop with such an access counts as polling.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @counts
; CHECK: call void @cdp_abi_yield
; OPTIMIZED-LABEL: @counts
; OPTIMIZED-NOT: cdp_abi_yield
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
