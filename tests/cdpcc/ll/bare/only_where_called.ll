; RUN: cdpcc-opt --passes=bare %s | FileCheck %s
; A barrier that keeps no registers has callers that save what they need: fewer cache lines for a
; waiting thread. The caller must restore what it lost, so the call is no tail call.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @wait
; CHECK-NEXT: notail call preserve_nonecc void @cdp_abi_syncthreads_bare()
define void @wait() {
  tail call void @cdp_abi_syncthreads()
  ret void
}

; CHECK: declare preserve_nonecc void @cdp_abi_syncthreads_bare()
declare void @cdp_abi_syncthreads()
