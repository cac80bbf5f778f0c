; RUN: cdpcc-opt --passes=math -march=x86-64-v3 %s | FileCheck %s
; RUN: cdpcc-opt --passes=math -march=x86-64 %s | FileCheck %s --check-prefix=BASE
; cdpcc has its own versions of libm's most used functions. Calls by name and by intrinsic use them,
; and they are inlined, so block entries run them as vectors. They need fused multiply-add. For
; other processors the C library is called.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define float @by_intrinsic
; CHECK-NEXT: call float @cdp.math.expf(float %x)
; BASE-LABEL: define float @by_intrinsic
; BASE-NEXT: call float @llvm.exp.f32(float %x)
define float @by_intrinsic(float %x) {
  %y = call float @llvm.exp.f32(float %x)
  ret float %y
}

; CHECK-LABEL: define float @by_name
; CHECK-NEXT: call float @cdp.math.sinf(float %x)
define float @by_name(float %x) {
  %y = call float @sinf(float %x)
  ret float %y
}

; CHECK-DAG: define internal float @cdp.math.expf(float {{.*}} [[ATTRIBUTES:#[0-9]+]]
; CHECK-DAG: attributes [[ATTRIBUTES]] = { alwaysinline
declare float @llvm.exp.f32(float)
declare float @sinf(float)
