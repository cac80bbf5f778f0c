; RUN: cat %p %s | env CDPCC_SIZES=16x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The mask names 16 threads, which are all threads of a block of 16, but not of any other block. As on a
; GPU, all lanes that are there take part, so there is a version for other sizes too.

; CHECK: plan for blocks of 16x1x1
; CHECK: plan for blocks of one row
define void @cdp.thread.half(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %t = call i32 @thread.x()
  %x = call i32 @cdp_abi_shfl32(i32 65535, i32 %t, i32 1, i32 32, i32 3, ptr null)
  %at = call ptr @element(ptr %in, i32 %t)
  store i32 %x, ptr %at, align 4
  ret void
}
