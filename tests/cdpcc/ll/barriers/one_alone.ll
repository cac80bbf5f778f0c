; RUN: cdpcc-opt --passes=builtin,barriers %s | FileCheck %s
; With one barrier in the unit all threads wait at the same: nothing is told, and nothing is paid.
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: cdp_abi_at_barrier
; CHECK: call void @cdp_abi_syncthreads()
; CHECK-NOT: cdp_abi_at_barrier
define void @one() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
