; RUN: cdpcc-opt --passes=float %s | FileCheck %s
; -0 is less than +0, which "minnum" does not guarantee. Flags do not change.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @least
; CHECK: call float @llvm.minimumnum.f32(float %a, float %b)
define float @least(float %a, float %b) {
  %x = call float @llvm.minnum.f32(float %a, float %b)
  ret float %x
}

; CHECK-LABEL: @greatest
; CHECK: call nsz double @llvm.maximumnum.f64(double %a, double %b)
define double @greatest(double %a, double %b) {
  %x = call nsz double @llvm.maxnum.f64(double %a, double %b)
  ret double %x
}

; Functions that return a NaN for a NaN operand already order zeros.
; CHECK-LABEL: @with_nan
; CHECK: call float @llvm.minimum.f32(float %a, float %b)
define float @with_nan(float %a, float %b) {
  %x = call float @llvm.minimum.f32(float %a, float %b)
  ret float %x
}
