; RUN: not cdpcc-opt --passes=ptx %s 2>&1 | FileCheck %s --implicit-check-not=error:
; Directed rounding and saturation have no instructions here. It is better to refuse them than to
; compute another number.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: inline PTX 'add.rz.f32 %0, %1, %2' is not supported
define float @towards_zero(float %a, float %b) {
  %x = call float asm "add.rz.f32 $0, $1, $2;", "=f,f,f"(float %a, float %b)
  ret float %x
}

; CHECK: error: inline PTX 'add.sat.s32 %0, %1, %2' is not supported
define i32 @saturating(i32 %a, i32 %b) {
  %x = call i32 asm "add.sat.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %x
}

; CHECK: error: inline PTX 'cvt.rzi.u32.f32.sat %0, %1' is not supported
define i32 @converted(float %a) {
  %x = call i32 asm "cvt.rzi.u32.f32.sat $0, $1;", "=r,f"(float %a)
  ret i32 %x
}

; The processor rounds to nearest.
define float @to_nearest(float %a, float %b) {
  %x = call float asm "add.rn.f32 $0, $1, $2;", "=f,f,f"(float %a, float %b)
  ret float %x
}
