; RUN: cdpcc-opt --passes=math -march=x86-64-v3 %s | FileCheck %s
; RUN: cdpcc-opt --passes=math -march=x86-64 %s | FileCheck %s --check-prefix=BASE
; A call of both becomes one call of each, because the library has only these. After inlining, the
; optimizer merges their common parts.
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
