; RUN: cdpcc-opt --passes=builtin,barriers %s | FileCheck %s
; If the unit has one barrier, all threads wait at it. So no line is recorded, and there is no cost.
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: cdp_abi_at_barrier
; CHECK: call void @cdp_abi_syncthreads()
; CHECK-NOT: cdp_abi_at_barrier
define void @one() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
