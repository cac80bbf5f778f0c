; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Some lanes reach the first barrier, and others the second one.

; CHECK: refused: threads may diverge here and wait at different barriers
define void @cdp.thread.parts(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %left, label %join
left:
  call void @use(i32 1)
  call void @cdp_abi_syncthreads()
  br label %join
join:
  call void @use(i32 2)
  call void @cdp_abi_syncthreads()
  call void @use(i32 3)
  ret void
}
