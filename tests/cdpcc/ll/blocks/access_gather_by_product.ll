; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The column of a matrix and the square of an index are different reasons. Only the first one has
; advice.

; CHECK: gather: the addresses of neighbouring threads are a distance apart that is known at run
; CHECK-SAME: time only; let consecutive values of threadIdx.x access consecutive elements{{$}}
; CHECK: gather: the index is a product of two numbers that differ between threads{{$}}
define void @cdp.thread.products(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, %n
  %x = call float @get(ptr %in, i32 %row)
  %square = mul nsw i32 %g, %g
  %y = call float @get(ptr %in, i32 %square)
  %sum = fadd float %x, %y
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
