; RUN: cat %p %s | \
; RUN:   env CDPCC_SIZES=20x10x1 cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; The lanes that pad the rows have slots, too: 320 lanes of four bytes for 200 threads.

; CHECK: regions of padded: 1 values across barriers, 7 bytes for each thread
; CHECK: regions of padded: 1 values across barriers, 4 bytes for each thread
define void @cdp.thread.padded(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %y = call i32 @thread.y()
  %g = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %g)
  call void @cdp_abi_syncthreads()
  %f = sitofp i32 %y to float
  %sum = fadd float %x, %f
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
