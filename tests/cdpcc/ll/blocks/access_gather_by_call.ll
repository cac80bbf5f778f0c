; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The result of a library function is unknown.

; CHECK: load of 4 bytes: gather: the index comes from a call
define void @cdp.thread.call(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = call i32 @of.library(i32 %g)
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
declare i32 @of.library(i32)
