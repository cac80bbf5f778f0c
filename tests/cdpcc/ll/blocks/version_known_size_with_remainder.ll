; RUN: cat %p %s | env CDPCC_SIZES=100x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The last four of 100 threads have a vector with masks.

; CHECK: plan for blocks of 100x1x1
; CHECK-NEXT: region 1: chunk loop without masks, then a masked one
define void @cdp.thread.sized(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  ret void
}
