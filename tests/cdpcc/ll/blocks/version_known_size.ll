; RUN: cat %p %s | env CDPCC_SIZES=256x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A version for a known block size. The size is a multiple of the vectors, so there is no masked
; loop.

; CHECK: plan for blocks of 256x1x1: 16 lanes, 4 vectors at a time
; CHECK-NEXT: region 1: chunk loop without masks{{$}}
; CHECK: plan for blocks of one row: 16 lanes, 4 vectors at a time
; CHECK-NEXT: region 1: chunk loop without masks, then a masked one
define void @cdp.thread.sized(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  ret void
}
