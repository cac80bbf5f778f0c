; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; All lanes select the same operand. If both operands have one stride, the result has it, too.
; Otherwise a test shows whether the affine operand is selected.

; CHECK: affine 1: %alike = select
; CHECK: affine 1 by test: %one.of.both = select
define void @cdp.thread.select(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %g = call i32 @global.x()
  %c = icmp sgt i32 %n, 0
  %i = add i32 %g, %n
  %j = add i32 %g, %m
  %alike = select i1 %c, i32 %i, i32 %j
  call void @use(i32 %alike)
  %one.of.both = select i1 %c, i32 %i, i32 %m
  call void @use(i32 %one.of.both)
  ret void
}
