; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The stride of a product by a constant is known. The stride of a product by any other number is
; not, even if that number is uniform.

; CHECK: affine 3: %three = mul
; CHECK: affine -5: %less = mul
; CHECK: varying: %unknown = mul
define void @cdp.thread.product(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %three = mul i32 %t, 3
  call void @use(i32 %three)
  %less = mul i32 %t, -5
  call void @use(i32 %less)
  %unknown = mul i32 %t, %n
  call void @use(i32 %unknown)
  ret void
}
