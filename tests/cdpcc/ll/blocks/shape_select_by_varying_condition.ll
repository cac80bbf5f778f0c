; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Each lane selects for itself: the result differs, though what it selects from is the same for all.

; CHECK: varying: %c = icmp
; CHECK-NEXT: varying: %each.v = select
define void @cdp.thread.select(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %g = call i32 @global.x()
  %c = icmp slt i32 %g, %n
  %i = add i32 %g, %n
  %j = add i32 %g, %m
  %each = select i1 %c, i32 %i, i32 %j
  call void @use(i32 %each)
  ret void
}
