; RUN: cdpcc-opt --passes=math -march=x86-64-v3 %s | FileCheck %s
; RUN: cdpcc-opt --passes=math -march=x86-64 %s | FileCheck %s --check-prefix=BASE
; Both at once are both by themselves: the library has them alone, and what they have in common is
; found again once they are inlined.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define { float, float } @both
; CHECK: [[SINE:%.*]] = call float @cdp.math.sinf(float %x)
; CHECK: [[COSINE:%.*]] = call float @cdp.math.cosf(float %x)
; CHECK: [[ONE:%.*]] = insertvalue { float, float } poison, float [[SINE]], 0
; CHECK: insertvalue { float, float } [[ONE]], float [[COSINE]], 1
; BASE: call { float, float } @llvm.sincos.f32(float %x)
define { float, float } @both(float %x) {
  %y = call { float, float } @llvm.sincos.f32(float %x)
  ret { float, float } %y
}

declare { float, float } @llvm.sincos.f32(float)
