; RUN: cat %p %s | env CDPCC_SIZES=20x10x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A warp continues across the end of a row. If rows were padded, a chunk would not be whole warps.
; In the version for such a size each lane has an index of its own.

; CHECK: plan for blocks of 20x10x1: 16 lanes
; CHECK: scatter: a vector's threads may lie in several rows
; CHECK: plan for rows that are multiples of a vector
; CHECK: plan for any block
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %x = call i32 @global.x()
  %y = call i32 @global.y()
  %i = add i32 %x, %y
  call void @cdp_abi_syncwarp(i32 -1)
  call void @set(ptr %in, i32 %i, float 1.0)
  ret void
}
