; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Some lanes of a vector would wait at one barrier and the others at the other one.

; CHECK: refused: threads may diverge here and wait at different barriers
define void @cdp.thread.parts(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %left, label %right
left:
  call void @use(i32 1)
  call void @cdp_abi_syncthreads()
  call void @use(i32 2)
  br label %end
right:
  call void @use(i32 3)
  call void @cdp_abi_syncthreads()
  call void @use(i32 4)
  br label %end
end:
  ret void
}
