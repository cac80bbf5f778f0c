; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; If rows of the block are multiples of a vector, threadIdx.x is affine and threadIdx.y is uniform
; in each vector. In other blocks a vector may lie in several rows, and each lane has its own index.

; CHECK: shapes of rows
; CHECK: affine 1: [[X:%.*]] = load i32, ptr %self
; CHECK: vector: [[Y:%.*]] = load i32, ptr %at
; CHECK: call void @use(i32 [[X]])
; CHECK: call void @use(i32 [[Y]])
; CHECK: shapes of rows
; CHECK: varying: [[X]] = load i32
; CHECK: varying: [[Y]] = load i32
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %x = call i32 @thread.x()
  %y = call i32 @thread.y()
  call void @use(i32 %x)
  call void @use(i32 %y)
  ret void
}
