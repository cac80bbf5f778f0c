; RUN: cdpcc-opt --passes=float,convert %s | FileCheck %s
; lrint and similar functions round and convert. A value that does not fit saturates.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @nearest
; CHECK: [[R:%.*]] = call float @llvm.rint.f32(float %f)
; CHECK: call i64 @llvm.fptosi.sat.i64.f32(float [[R]])
define i64 @nearest(float %f) {
  %x = call i64 @llvm.lrint.i64.f32(float %f)
  ret i64 %x
}

; CHECK-LABEL: @half_away
; CHECK: [[R:%.*]] = call double @llvm.round.f64(double %d)
; CHECK: call i64 @llvm.fptosi.sat.i64.f64(double [[R]])
define i64 @half_away(double %d) {
  %x = call i64 @llvm.llround.i64.f64(double %d)
  ret i64 %x
}
