; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A quotient is too slow to compute again, so its slot keeps the address. The address is affine only
; if a test holds, and a slot does not keep the test's result. So each thread keeps its eight bytes.

; CHECK: regions of across: 1 values across barriers, 8 bytes for each thread
; CHECK: live: {{.*}} = getelementptr float
define void @cdp.thread.across(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = udiv i32 %g, %n
  call void @set(ptr %out, i32 %row, float 1.0)
  call void @cdp_abi_syncthreads()
  call void @set(ptr %out, i32 %row, float 2.0)
  ret void
}
