; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; blockIdx.y is uniform in the block, so the kernel needs no version for blocks with several rows.

; CHECK: plan for blocks of one row
; CHECK-NOT: plan for any block
define void @cdp.thread.line(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %y = call i32 @block.y()
  %x = call i32 @global.x()
  %i = add i32 %x, %y
  call void @set(ptr %in, i32 %i, float 1.0)
  ret void
}
