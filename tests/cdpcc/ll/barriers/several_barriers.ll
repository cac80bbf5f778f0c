; RUN: cdpcc-opt --passes=builtin,barriers %s | FileCheck %s
; If a unit has more than one barrier, threads of a warp may wait at different barriers. A GPU hangs
; then. So each thread records the line of the barrier before it waits.
target triple = "x86_64-pc-linux-gnu"

; CHECK: [[PLACE:@cdp.place[.0-9]*]] = private constant { ptr, i32, i32 }
; CHECK-LABEL: @two
; CHECK: call void @cdp_abi_at_barrier(ptr [[FIRST:@cdp.place[.0-9]*]])
; CHECK-NEXT: call void @cdp_abi_syncthreads()
; CHECK-NEXT: call void @cdp_abi_at_barrier(ptr
; CHECK-NOT: [[FIRST]])
; CHECK: call void @cdp_abi_syncthreads()
define void @two() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
