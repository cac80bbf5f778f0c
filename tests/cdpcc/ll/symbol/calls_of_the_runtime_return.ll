; RUN: cdpcc-opt --passes=symbol %s | FileCheck %s
; Reports name the line to which a call of the runtime returns. For a tail call this would be the
; caller's line, and for a merged call no correct line exists. Calls of other functions may be tail
; calls and may be merged.
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
