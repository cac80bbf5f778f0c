; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The same accesses are contiguous in one version of the kernel. In the other version a vector may
; lie in several rows of the block, so they are gathers.

; CHECK: plan for rows that are multiples of a vector
; CHECK: load of 4 bytes: contiguous{{$}}
; CHECK: plan for any block
; CHECK: load of 4 bytes: gather: a vector's threads may lie in several rows of the block;
; CHECK-SAME: make blockDim.x a multiple of the lanes
; CHECK: store of 4 bytes: scatter: a vector's threads may lie
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
