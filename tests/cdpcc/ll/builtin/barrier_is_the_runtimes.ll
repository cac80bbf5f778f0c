; RUN: cdpcc-opt --passes=builtin %s | FileCheck %s
; The barrier that the front end knows by name becomes the runtime's barrier. It is convergent, so
; the optimizer must not duplicate it.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @wait
; CHECK-NEXT: call void @cdp_abi_syncthreads()
; CHECK-NEXT: ret void
define void @wait() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

; CHECK: declare void @cdp_abi_syncthreads() [[ATTRIBUTES:#[0-9]+]]
; CHECK: attributes [[ATTRIBUTES]] = { convergent nounwind }
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
