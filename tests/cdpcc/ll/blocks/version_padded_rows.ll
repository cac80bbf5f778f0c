; RUN: cat %p %s | env CDPCC_SIZES=20x10x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Rows of 20 threads are two vectors, and the second one has inactive lanes. This costs less than
; five vectors of four lanes. A chunk is one row.

; CHECK: plan for blocks of 20x10x1, padded rows: 16 lanes, 2 vectors at a time
; CHECK-NEXT: region 1: masked chunk loop
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %x = call i32 @global.x()
  %y = call i32 @global.y()
  %i = add i32 %x, %y
  call void @set(ptr %in, i32 %i, float 1.0)
  ret void
}
