; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The sum has no flag, so the index may wrap around within a vector. A test chooses between a
; contiguous access and a gather or scatter.

; CHECK: load of 4 bytes: contiguous if the index does not wrap around
; CHECK: store of 4 bytes: contiguous if the index does not wrap around
define void @cdp.thread.moved(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %t = call i32 @thread.x()
  %i = add i32 %t, %n
  %x = call float @get(ptr %in, i32 %i)
  %y = fmul float %x, 2.0
  call void @set(ptr %in, i32 %i, float %y)
  ret void
}
