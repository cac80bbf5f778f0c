; RUN: cdpcc-opt --passes=bare %s | FileCheck %s
; The callers of the bare barrier save the registers that they need. So a waiting thread writes
; fewer cache lines. The caller must restore its registers after the call, so the call is no tail
; call.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @wait
; CHECK-NEXT: notail call preserve_nonecc void @cdp_abi_syncthreads_bare()
define void @wait() {
  tail call void @cdp_abi_syncthreads()
  ret void
}

; CHECK: declare preserve_nonecc void @cdp_abi_syncthreads_bare()
declare void @cdp_abi_syncthreads()
