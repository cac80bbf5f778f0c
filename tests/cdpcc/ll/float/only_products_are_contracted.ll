; RUN: cdpcc-opt --passes=float %s | FileCheck %s
; Two conversions round twice. With the flag "contract", LLVM would combine them. Only products and
; sums keep this flag; other flags do not change.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @twice
; CHECK: [[F:%.*]] = fptrunc double %d to float
; CHECK: fptrunc nsz float [[F]] to half
define half @twice(double %d) {
  %f = fptrunc contract double %d to float
  %h = fptrunc nsz contract float %f to half
  ret half %h
}

; CHECK-LABEL: @there_and_back
; CHECK: [[F:%.*]] = fptrunc double %d to float
; CHECK: fpext float [[F]] to double
define double @there_and_back(double %d) {
  %f = fptrunc contract double %d to float
  %e = fpext contract float %f to double
  ret double %e
}

; CHECK-LABEL: @product_and_sum
; CHECK: fmul contract float %a, %b
; CHECK: fsub contract float
; CHECK: fdiv float
define float @product_and_sum(float %a, float %b, float %c) {
  %p = fmul contract float %a, %b
  %s = fsub contract float %p, %c
  %q = fdiv contract float %s, %c
  ret float %q
}
