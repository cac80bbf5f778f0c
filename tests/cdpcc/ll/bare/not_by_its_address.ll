; RUN: cdpcc-opt --passes=bare %s | FileCheck %s
; Through a pointer it is called as a C function.
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
