; RUN: cdpcc-opt --passes=symbol %s | FileCheck %s
; Reports name the line that a call of the runtime returns to: that of a tail call is its caller's,
; and of a merged one nobody's. Calls of other functions may be either.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @wait.cdp
; CHECK: notail call void @cdp_abi_syncthreads()
; CHECK: {{^}} tail call void @other.cdp()
define void @wait() {
  tail call void @__syncthreads()
  tail call void @other()
  ret void
}

; CHECK: declare void @cdp_abi_syncthreads() [[ATTRIBUTES:#[0-9]+]]
; CHECK: attributes [[ATTRIBUTES]] = { {{.*}}nomerge
declare void @__syncthreads()
declare void @other()
