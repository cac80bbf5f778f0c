; RUN: cdpcc-opt --passes=math -march=x86-64-v3 %s | FileCheck %s
; RUN: cdpcc-opt --passes=math -march=x86-64 %s | FileCheck %s
; The C library's lgamma stores the sign of its result in a global, and two workers that store to it
; race. Device code calls lgamma_r, which stores the sign to a variable of the thread.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @single
; CHECK-NEXT: call float @cdp.guard.lgammaf(float %x)
define float @single(float %x) {
  %y = call float @lgammaf(float %x)
  ret float %y
}

; CHECK-LABEL: define double @double
; CHECK-NEXT: call double @cdp.guard.lgamma(double %x)
define double @double(double %x) {
  %y = call double @lgamma(double %x)
  ret double %y
}

; CHECK-NOT: call {{.*}}@lgamma{{f?}}(
; CHECK-DAG: call float @lgammaf_r(float
; CHECK-DAG: call double @lgamma_r(double
declare float @lgammaf(float)
declare double @lgamma(double)
