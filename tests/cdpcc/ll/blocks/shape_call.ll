; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The result of a library function may differ between calls. LLVM's own functions have one result
; for one operand.

; CHECK: varying: %x = call i32 @of.library
; CHECK: uniform: %bits = call {{.*}} @llvm.ctpop
define void @cdp.thread.call(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %x = call i32 @of.library(i32 %n)
  call void @use(i32 %x)
  %bits = call i32 @llvm.ctpop.i32(i32 %n)
  call void @use(i32 %bits)
  ret void
}
declare i32 @of.library(i32)
