; RUN: cdpcc-opt --passes=float %s | FileCheck %s
; Of -0 and +0 the first is the lesser one: "minnum" leaves that open. Flags stay.
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

; Where a NaN wins, zeros have an order already.
; CHECK-LABEL: @with_nan
; CHECK: call float @llvm.minimum.f32(float %a, float %b)
define float @with_nan(float %a, float %b) {
  %x = call float @llvm.minimum.f32(float %a, float %b)
  ret float %x
}
