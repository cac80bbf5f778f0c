; RUN: cdpcc-opt --passes=builtin,barriers %s | FileCheck %s
; RUN: cdpcc-opt --passes=builtin,barriers --check=sync %s | FileCheck %s --check-prefix=SYNC
; If the unit has one barrier, all threads wait at it. So no line is recorded, and there is no cost.
; With --check=sync every barrier is recorded: threads may end before it.
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: cdp_abi_at_barrier
; CHECK: call void @cdp_abi_syncthreads()
; CHECK-NOT: cdp_abi_at_barrier
; SYNC: call void @cdp_abi_at_barrier(ptr @cdp.place)
; SYNC-NEXT: call void @cdp_abi_syncthreads()
define void @one() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
