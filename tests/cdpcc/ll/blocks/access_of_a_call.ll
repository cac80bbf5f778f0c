; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A function of a library runs once for each lane, one of LLVM's own is an instruction of vectors.
; Calls take the registers of vectors side by side, so there is one at a time.

; CHECK: 1 vector at a time
; CHECK: call of of.library: one lane after the other
; CHECK-NOT: sqrt
define void @cdp.thread.call(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call float @of.library(i32 %g)
  %root = call float @llvm.sqrt.f32(float %x)
  call void @set(ptr %out, i32 %g, float %root)
  ret void
}
declare float @of.library(i32)
