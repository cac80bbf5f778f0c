; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; fma rounds once. A product and a sum would round twice if nothing contracts them.
target triple = "x86_64-pc-linux-gnu"

define float @fused(float %a, float %b, float %c) {
  %x = call float asm "fma.rn.f32 $0, $1, $2, $3;", "=f,f,f,f"(float %a, float %b, float %c)
  ret float %x
}

; CHECK: define internal float @cdp.ptx(
; CHECK: call float @llvm.fma.f32(float {{.*}}, float {{.*}}, float {{.*}})
