; RUN: cdpcc-opt --passes=math -march=x86-64-v3 %s | FileCheck %s
; The whole library is linked, and the functions that nothing calls are removed. Otherwise each
; object would contain all of it. If the program defines a function with such a name, the program's
; function is used.
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: @cdp.math.sinf
; CHECK: call float @sinf(float %x)
; CHECK: define float @sinf
; CHECK: define internal double @cdp.math.exp(
; CHECK-NOT: @cdp.math.sinf
; CHECK-NOT: @cdp.math.log
define float @own(float %x, double %d) {
  %y = call float @sinf(float %x)
  %e = call double @exp(double %d)
  ret float %y
}

define float @sinf(float %x) {
  ret float %x
}

declare double @exp(double)
