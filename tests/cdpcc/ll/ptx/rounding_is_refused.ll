; RUN: not cdpcc-opt --passes=ptx %s 2>&1 | FileCheck %s --implicit-check-not=error:
; Roundings and saturation that an instruction does not have, or in another place than PTX has them. It
; is better to refuse them than to compute another number.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: inline PTX 'add.rzi.f32 %0, %1, %2' is not supported
define float @to_an_integer(float %a, float %b) {
  %x = call float asm "add.rzi.f32 $0, $1, $2;", "=f,f,f"(float %a, float %b)
  ret float %x
}

; CHECK: error: inline PTX 'add.sat.u32 %0, %1, %2' is not supported
define i32 @saturating(i32 %a, i32 %b) {
  %x = call i32 asm "add.sat.u32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
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

; Towards zero: by a function of the library.
define float @towards_zero(float %a, float %b) {
  %x = call float asm "add.rz.f32 $0, $1, $2;", "=f,f,f"(float %a, float %b)
  ret float %x
}
