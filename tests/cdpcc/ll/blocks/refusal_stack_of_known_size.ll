; RUN: cat %p %s | env CDPCC_SIZES=1024x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; 1024 threads with 200 bytes each do not fit on the stack. Smaller blocks fit and have an entry.

; CHECK: refused: values across barriers take too much of the stack
; CHECK: plan for blocks of one row
define void @cdp.thread.stack(ptr noalias readonly align 64 %params) {
  %array = alloca [50 x float], align 4
  call void @use.ptr(ptr %array)
  call void @cdp_abi_syncthreads()
  call void @use.ptr(ptr %array)
  ret void
}
