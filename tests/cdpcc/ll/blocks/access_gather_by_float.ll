; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The reason is the conversion to an integer and not the converted value.

; CHECK: load of 4 bytes: gather: the index is computed in floating point
define void @cdp.thread.scaled(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %f = sitofp i32 %g to float
  %scaled = fmul float %f, 3.0
  %i = fptosi float %scaled to i32
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
