; RUN: cdpcc-opt --passes=bare %s | FileCheck %s
; A call through a pointer uses C's calling convention. So if the barrier's address is taken,
; nothing changes.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @wait
; CHECK-NEXT: call void @cdp_abi_syncthreads()
define void @wait() {
  call void @cdp_abi_syncthreads()
  ret void
}

; CHECK: ret ptr @cdp_abi_syncthreads{{$}}
define ptr @address() {
  ret ptr @cdp_abi_syncthreads
}

declare void @cdp_abi_syncthreads()
