; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Parameters, indices of the block and loads from one address are uniform. Values computed from them
; are uniform, too, and stay scalar.

; CHECK: shapes of uniform
; CHECK: uniform: %sum = add
; CHECK-NEXT: uniform: %product = mul
; CHECK: uniform: %x = load float
; CHECK-NEXT: uniform: %root = call float @llvm.sqrt
define void @cdp.thread.uniform(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %b = call i32 @block.x()
  %s = call i32 @size.x()
  %sum = add i32 %n, %b
  %product = mul i32 %sum, %s
  call void @use(i32 %product)
  %in = call ptr @in(ptr %params)
  %x = load float, ptr %in, align 4
  %root = call float @llvm.sqrt.f32(float %x)
  call void @use.float(float %root)
  ret void
}
