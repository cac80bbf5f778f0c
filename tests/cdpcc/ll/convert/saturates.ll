; RUN: cdpcc-opt --passes=convert %s | FileCheck %s
; Conversions to integers first convert to 32 or 64 bits with saturation, and then truncate to
; narrower types. A NaN gives only the top bit if source or result has 64 bits, and otherwise 0.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @to_int
; CHECK: [[X:%.*]] = call i32 @llvm.fptosi.sat.i32.f32(float %f)
; CHECK-NEXT: ret i32 [[X]]
define i32 @to_int(float %f) {
  %x = fptosi float %f to i32
  ret i32 %x
}

; CHECK-LABEL: @to_int_of_double
; CHECK: [[X:%.*]] = call i32 @llvm.fptosi.sat.i32.f64(double %d)
; CHECK: [[NAN:%.*]] = fcmp uno double %d, %d
; CHECK: select i1 [[NAN]], i32 -2147483648, i32 [[X]]
define i32 @to_int_of_double(double %d) {
  %x = fptosi double %d to i32
  ret i32 %x
}

; Saturating intrinsics that the front end calls, of the source's own types.
; CHECK-LABEL: @to_uchar
; CHECK: [[X:%.*]] = call i32 @llvm.fptoui.sat.i32.f32(float %f)
; CHECK: trunc i32 [[X]] to i8
define i8 @to_uchar(float %f) {
  %x = call i8 @llvm.fptoui.sat.i8.f32(float %f)
  ret i8 %x
}

; CHECK-LABEL: @of_a_constant
; CHECK: call i32 @llvm.fptosi.sat.i32.f64(double 1.000000e+10)
define i32 @of_a_constant() {
  %x = call i32 @llvm.fptosi.sat.i32.f64(double 1.0e10)
  ret i32 %x
}

; CHECK-LABEL: @to_ulonglong
; CHECK: [[X:%.*]] = call i64 @llvm.fptoui.sat.i64.f32(float %f)
; CHECK: select i1 {{.*}}, i64 -9223372036854775808, i64 [[X]]
define i64 @to_ulonglong(float %f) {
  %x = fptoui float %f to i64
  ret i64 %x
}

declare i8 @llvm.fptoui.sat.i8.f32(float)
declare i32 @llvm.fptosi.sat.i32.f64(double)
