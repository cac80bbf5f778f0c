; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Ranges start at integers and constants.  What surely fits is not saturated.

; A sum of bytes with weights is a little below 256 at most, and no NaN.
; CHECK-LABEL: shapes of pixels
; CHECK-NOT: fcmp uno
; CHECK-NOT: sat
; CHECK: fptosi double %sum to i32
define void @cdp.thread.pixels(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  %byte = and i32 %g, 255
  %other = and i32 %n, 255
  %a = uitofp i32 %byte to double
  %b = uitofp i32 %other to double
  %p = fmul double %a, 0.92
  %q = fmul double %b, 0.08
  %sum = fadd double %p, %q
  %x = call i32 @llvm.fptoui.sat.i32.f64(double %sum)
  %is.nan = fcmp uno double %sum, 0.0
  %y = select i1 %is.nan, i32 -2147483648, i32 %x
  call void @use(i32 %y)
  ret void
}

; 2^31 times a half fits; the next larger factor might not.
; CHECK-LABEL: shapes of int
; CHECK: fptosi float %half to i32
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %whole)
define void @cdp.thread.int(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %a = sitofp i32 %g to float
  %half = fmul float %a, 0.5
  %x = call i32 @llvm.fptosi.sat.i32.f32(float %half)
  call void @use(i32 %x)
  %whole = fmul float %a, 1.0625
  %y = call i32 @llvm.fptosi.sat.i32.f32(float %whole)
  call void @use(i32 %y)
  ret void
}

; A quotient may be infinite, a value from memory may be a NaN, and a negative one is no unsigned number.
; CHECK-LABEL: shapes of others
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %quotient)
; CHECK: call i32 @llvm.fptosi.sat.i32.f32(float %value
; CHECK: call i32 @llvm.fptoui.sat.i32.f32(float %less)
; CHECK: fptosi float %more to i32
define void @cdp.thread.others(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %in = call ptr @in(ptr %params)
  %byte = and i32 %g, 255
  %a = uitofp i32 %byte to float
  %quotient = fdiv float 1.0, %a
  %x = call i32 @llvm.fptosi.sat.i32.f32(float %quotient)
  call void @use(i32 %x)
  %loaded = call float @get(ptr %in, i32 %g)
  %y = call i32 @llvm.fptosi.sat.i32.f32(float %loaded)
  call void @use(i32 %y)
  %less = fsub float %a, 1.0
  %z = call i32 @llvm.fptoui.sat.i32.f32(float %less)
  call void @use(i32 %z)
  %more = fsub float %a, 0.5
  %w = call i32 @llvm.fptoui.sat.i32.f32(float %more)
  call void @use(i32 %w)
  ret void
}
