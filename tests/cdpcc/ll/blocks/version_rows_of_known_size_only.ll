; RUN: cat %p %s | env CDPCC_SIZES=20x10x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A known size with several rows has a version even if the kernel reads only threadIdx.x. Blocks of
; other sizes must have one row. All rows run, because the threads that meet at the barrier may be
; counted.

; CHECK: plan for blocks of 20x10x1, padded rows
; CHECK: plan for blocks of one row
; CHECK-NOT: plan for any block
define void @cdp.thread.flat(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %x = call i32 @global.x()
  call void @cdp_abi_syncthreads()
  call void @set(ptr %in, i32 %x, float 1.0)
  ret void
}
