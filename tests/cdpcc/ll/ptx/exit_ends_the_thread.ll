; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; Not every build of the runtime can end a thread in the middle of a function. If it cannot, the
; thread traps.
target triple = "x86_64-pc-linux-gnu"

define void @leave() {
  call void asm sideeffect "exit;", ""()
  ret void
}

; CHECK: define internal void @cdp.ptx()
; CHECK: [[IS:%.*]] = icmp ne ptr @cdp_abi_exit, null
; CHECK: br i1 [[IS]], label %[[THERE:.*]], label %[[NOT:[^ ]*]]
; CHECK: [[THERE]]:
; CHECK-NEXT: call void @cdp_abi_exit()
; CHECK-NEXT: unreachable
; CHECK: [[NOT]]:
; CHECK-NEXT: call void @__trap()
; CHECK: declare extern_weak void @cdp_abi_exit()
