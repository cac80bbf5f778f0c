; RUN: cdpcc-opt --passes=yield %s | FileCheck %s
; A yield that is due after a volatile load comes before the test of a serialized launch, and not between the
; test and the child. The stores of the child's loop to the thread's context need no yield.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @parent
; CHECK: load volatile i32, ptr %flag
; CHECK-NEXT: call void @cdp_abi_yield
; CHECK-NEXT: %test = load volatile
; CHECK-NOT: cdp_abi_yield
; CHECK: ret void
define void @parent(ptr %flag, ptr %block, ptr %self, ptr %out) {
  %seen = load volatile i32, ptr %flag, align 4
  %test = load volatile i32, ptr %block, align 4, !nosanitize !0, !cdp.settled !0
  %may = icmp ne i32 %test, 0
  br i1 %may, label %serial, label %end
serial:
  store volatile ptr %out, ptr %self, align 8, !nosanitize !0
  br label %thread
thread:
  %i = phi i32 [ 0, %serial ], [ %next, %thread ]
  store volatile i32 %i, ptr %self, align 4, !nosanitize !0
  %old = load i32, ptr %out, align 4
  store i32 %seen, ptr %out, align 4
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 32
  br i1 %more, label %thread, label %end
end:
  ret void
}
!0 = !{}
