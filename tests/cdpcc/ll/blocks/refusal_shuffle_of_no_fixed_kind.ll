; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The mode of a shuffle is a constant in all code of the front end. A shuffle with a variable mode
; has no vector form.

; CHECK: refused: a shuffle in it is of no fixed kind
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %x = call i32 @cdp_abi_shfl32(i32 -1, i32 %t, i32 1, i32 32, i32 %n, ptr null)
  call void @use(i32 %x)
  ret void
}
