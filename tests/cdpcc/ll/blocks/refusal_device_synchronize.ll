; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A block waits for children as a whole. So nothing in the region may have effects but the one thread that
; waits: a child may wait for what the other threads would do.

; CHECK: refused: other threads have something to do where one waits for its child grids
; CHECK: refused: other threads have something to do where one waits for its child grids
; CHECK: kernel alone: plan for
declare i32 @cdp_abi_cudaDeviceSynchronize()
define void @cdp.thread.all(ptr noalias readonly align 64 %params) {
  %error = call i32 @cdp_abi_cudaDeviceSynchronize()
  ret void
}

define void @cdp.thread.beside(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  %one = icmp eq i32 %t, 0
  br i1 %one, label %wait, label %other
wait:
  %error = call i32 @cdp_abi_cudaDeviceSynchronize()
  br label %end
other:
  call void @use(i32 %t)
  br label %end
end:
  call void @cdp_abi_syncthreads()
  ret void
}

define void @cdp.thread.alone(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  call void @use(i32 %t)
  call void @cdp_abi_syncthreads()
  %other = icmp ne i32 %t, 3
  br i1 %other, label %end, label %wait
wait:
  %error = call i32 @cdp_abi_cudaDeviceSynchronize()
  br label %end
end:
  call void @cdp_abi_syncthreads()
  call void @use(i32 %t)
  ret void
}
