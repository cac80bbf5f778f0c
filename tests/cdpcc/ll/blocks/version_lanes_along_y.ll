; RUN: cat %p %s | env CDPCC_SIZES=32x16x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The row of a matrix is threadIdx.x. Lanes along threadIdx.y make its accesses contiguous. Nothing is
; gained where the row is threadIdx.y, and a shuffle needs lanes along threadIdx.x.

; CHECK: plan for blocks of 32x16x1, lanes along y
; CHECK: load of 4 bytes: contiguous
; CHECK: store of 4 bytes: contiguous
define void @cdp.thread.columns(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @thread.x()
  %y = call i32 @thread.y()
  %start = mul nsw i32 %x, %n
  %i = add nsw i32 %start, %y
  %v = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %i, float %v)
  ret void
}

; CHECK: plan for blocks of 32x16x1: 16 lanes
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @thread.x()
  %y = call i32 @thread.y()
  %start = mul nsw i32 %y, %n
  %i = add nsw i32 %start, %x
  %v = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %i, float %v)
  ret void
}

; CHECK: plan for blocks of 32x16x1: 16 lanes
define void @cdp.thread.shuffles(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @thread.x()
  %y = call i32 @thread.y()
  %start = mul nsw i32 %x, %n
  %i = add nsw i32 %start, %y
  %v = call float @get(ptr %in, i32 %i)
  call void @cdp_abi_syncwarp(i32 -1)
  call void @set(ptr %out, i32 %i, float %v)
  ret void
}
