; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The reason comes from the operands of the select and not from its condition, which always differs
; between threads.

; CHECK: load of 4 bytes: gather: each thread selects its index
define void @cdp.thread.chosen(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %c = icmp slt i32 %g, %n
  %twice = shl nsw i32 %g, 1
  %i = select i1 %c, i32 %twice, i32 %n
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
