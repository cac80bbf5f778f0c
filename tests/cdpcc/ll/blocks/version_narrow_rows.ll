; RUN: cat %p %s | env CDPCC_SIZES=8x8x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A vector must not lie in two rows. So rows of eight threads have vectors of eight lanes.

; CHECK: plan for blocks of 8x8x1: 8 lanes, 4 vectors at a time
; CHECK-NEXT: region 1: chunk loop without masks{{$}}
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %x = call i32 @global.x()
  %y = call i32 @global.y()
  %i = add i32 %x, %y
  call void @set(ptr %in, i32 %i, float 1.0)
  ret void
}
