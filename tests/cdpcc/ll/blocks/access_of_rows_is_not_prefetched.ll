; RUN: cat %p %s | env CDPCC_SIZES=16x16x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; In two dimensions the rows of a block are far from each other and use few sets of the cache. A
; prefetch would evict other data.

; CHECK: plan for blocks of 16x16x1
; CHECK-NOT: prefetched
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %x = call i32 @global.x()
  %y = call i32 @global.y()
  %row = mul nsw i32 %y, %n
  %i = add nsw i32 %row, %x
  %v = call float @get(ptr %in, i32 %i)
  %w = fmul float %v, 2.0
  call void @set(ptr %in, i32 %i, float %w)
  ret void
}
