; RUN: cat %p %s | env CDPCC_SIZES=4x8x1 cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; In blocks of 4x8 threads, threadIdx.y * 4 + threadIdx.x is the thread's number, which grows by one from
; lane to lane. Divided by 32 it is the number of the warp.  Other sums vary.

; CHECK: varying: %[[#X:]] = load i32
; CHECK: varying: %[[#Y:]] = load i32
; CHECK: varying: %[[#ROW:]] = shl {{.*}} i32 %[[#Y]], 2
; CHECK: affine 1: %[[#NUMBER:]] = add {{.*}} i32 %[[#ROW]], %[[#X]]
; CHECK: varying: %[[#PRODUCT:]] = mul {{.*}} i32 4, %[[#Y]]
; CHECK: affine 1: %{{.*}} = add {{.*}} i32 %[[#X]], %[[#PRODUCT]]
; CHECK: warp: %{{.*}} = lshr i32 %[[#NUMBER]], 5
; CHECK: varying: %[[#COLUMN:]] = shl {{.*}} i32 %[[#X]], 3
; CHECK: varying: %{{.*}} = add {{.*}} i32 %[[#COLUMN]], %[[#Y]]
; CHECK: varying: %{{.*}} = add {{.*}} i32 %[[#NUMBER]], %[[#X]]
; CHECK: varying: %[[#FAR:]] = shl {{.*}} i32 %[[#Y]], 3
; CHECK: varying: %{{.*}} = add {{.*}} i32 %[[#FAR]], %[[#X]]
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %x = call i32 @thread.x()
  %y = call i32 @thread.y()
  %dim = call i32 @size.x()
  %row = shl i32 %y, 2
  %by.shift = add i32 %row, %x
  %product = mul i32 %dim, %y
  %by.product = add i32 %x, %product
  %warp = lshr i32 %by.shift, 5
  %column = mul i32 %x, 8
  %columns = add i32 %column, %y
  %twice = add i32 %by.shift, %x
  %far.row = shl i32 %y, 3
  %far = add i32 %far.row, %x
  call void @cdp_abi_syncwarp(i32 -1)
  call void @use(i32 %by.shift)
  call void @use(i32 %by.product)
  call void @use(i32 %warp)
  call void @use(i32 %columns)
  call void @use(i32 %twice)
  call void @use(i32 %far)
  ret void
}
