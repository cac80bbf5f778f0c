; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The same as for the first lanes, but the condition compares the thread's number.

; CHECK-NOT: refused
; CHECK: kernel warp: plan for
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  %c = icmp ult i32 %t, 16
  br i1 %c, label %work, label %end
work:
  %x = call i32 @cdp_abi_shfl32(i32 65535, i32 %t, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %x)
  br label %end
end:
  ret void
}
