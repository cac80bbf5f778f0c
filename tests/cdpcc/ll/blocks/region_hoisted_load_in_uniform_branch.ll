; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Either all threads reach the load or none. If the branch is taken, the load runs before the chunk
; loop.

; CHECK: region 1: 3 nodes
; CHECK: hoisted: %x = load float
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  %c = icmp slt i32 %n, 10
  br i1 %c, label %work, label %end
work:
  %x = load float, ptr %in, align 4
  call void @set(ptr %in, i32 %g, float %x)
  br label %end
end:
  ret void
}
