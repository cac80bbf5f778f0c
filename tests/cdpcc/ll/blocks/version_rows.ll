; RUN: cat %p %s | env CDPCC_SIZES=16x16x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A kernel that reads threadIdx.y has two general versions. A size whose rows are whole vectors
; needs no padding.

; CHECK: plan for blocks of 16x16x1: 16 lanes
; CHECK-NEXT: region 1: chunk loop without masks{{$}}
; CHECK: plan for rows that are multiples of a vector: 16 lanes
; CHECK: plan for any block: 16 lanes
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %x = call i32 @global.x()
  %y = call i32 @global.y()
  %i = add i32 %x, %y
  call void @set(ptr %in, i32 %i, float 1.0)
  ret void
}
