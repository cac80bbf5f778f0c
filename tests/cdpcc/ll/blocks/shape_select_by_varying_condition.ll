; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Each lane selects its own operand. So the result is not affine, although both operands are affine
; with one stride.

; CHECK: affine 1: %i = add
; CHECK: affine 1: %j = add
; CHECK: varying: %each = select
define void @cdp.thread.select(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %g = call i32 @global.x()
  %c = icmp slt i32 %g, %n
  %i = add i32 %g, %n
  call void @use(i32 %i)
  %j = add i32 %g, %m
  call void @use(i32 %j)
  %each = select i1 %c, i32 %i, i32 %j
  call void @use(i32 %each)
  ret void
}
