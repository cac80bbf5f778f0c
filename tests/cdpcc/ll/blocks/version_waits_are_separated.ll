; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; What other threads do before the branch of a thread that waits gets a region of its own.

; CHECK: kernel before: plan for
; CHECK: region 1:
; CHECK: region 2:
; CHECK: region 3:
declare i32 @cdp_abi_cudaDeviceSynchronize()
define void @cdp.thread.before(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  %n = call i32 @n(ptr %params)
  call void @use(i32 %t)
  %one = icmp eq i32 %t, 0
  br i1 %one, label %maybe, label %end
maybe:
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %wait, label %end
wait:
  %error = call i32 @cdp_abi_cudaDeviceSynchronize()
  br label %end
end:
  call void @cdp_abi_syncthreads()
  call void @use(i32 %t)
  ret void
}
