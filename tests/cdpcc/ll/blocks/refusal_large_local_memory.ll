; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The local memory of a chunk would not fit on the stack. If there are barriers, all threads of the
; block have their local memory at once.

; CHECK: refused: its threads have too much local memory
; CHECK: kernel fits:
; CHECK-NOT: refused
; CHECK: refused: its threads have too much local memory
define void @cdp.thread.large(ptr noalias readonly align 64 %params) {
  %array = alloca [5000 x float], align 4
  call void @use.ptr(ptr %array)
  ret void
}
define void @cdp.thread.fits(ptr noalias readonly align 64 %params) {
  %array = alloca [4000 x float], align 4
  call void @use.ptr(ptr %array)
  ret void
}
define void @cdp.thread.barrier(ptr noalias readonly align 64 %params) {
  %array = alloca [2000 x float], align 4
  call void @use.ptr(ptr %array)
  call void @cdp_abi_syncthreads()
  call void @use.ptr(ptr %array)
  ret void
}
