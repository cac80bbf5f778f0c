; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Volatile accesses of other than shared memory stay volatile, since other blocks see them. A store that
; is not contiguous runs lane by lane, since a scatter cannot be volatile.

; CHECK: kernel outside: plan for
; CHECK: load of 4 bytes: contiguous
; CHECK: store of 4 bytes: contiguous
; CHECK: kernel some: plan for
; CHECK: store of 4 bytes: scalarized: it is volatile
; CHECK: kernel inside: plan for
; CHECK: store of 4 bytes: scatter
define void @cdp.thread.outside(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %t = call i32 @thread.x()
  %at = call ptr @element(ptr %in, i32 %t)
  %x = load volatile i32, ptr %at, align 4
  %y = add i32 %x, 1
  store volatile i32 %y, ptr %at, align 4
  ret void
}
define void @cdp.thread.some(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %a = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %from = call ptr @element(ptr %in, i32 %t)
  %i = load i32, ptr %from, align 4
  %at = call ptr @element(ptr %a, i32 %i)
  store volatile i32 %t, ptr %at, align 4
  ret void
}
define void @cdp.thread.inside(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %a = call ptr @shared()
  %t = call i32 @thread.x()
  %from = call ptr @element(ptr %in, i32 %t)
  %i = load i32, ptr %from, align 4
  %at = call ptr @element(ptr %a, i32 %i)
  store volatile i32 %t, ptr %at, align 4
  ret void
}
