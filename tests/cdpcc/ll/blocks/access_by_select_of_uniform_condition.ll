; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; All lanes select the same operand. If it is the affine one, the access is contiguous.

; CHECK: load of 4 bytes: contiguous if the select takes its affine operand
define void @cdp.thread.choice(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %c = icmp sgt i32 %n, 0
  %wide = sext i32 %g to i64
  %other = sext i32 %m to i64
  %i = select i1 %c, i64 %wide, i64 %other
  %at = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %at, align 4
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
