; RUN: cat %p %s | env CDPCC_SIZES=32x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A chunk is no larger than the block.

; CHECK: plan for blocks of 32x1x1: 16 lanes, 2 vectors at a time
; CHECK-NEXT: region 1: chunk loop without masks{{$}}
define void @cdp.thread.small(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  ret void
}
