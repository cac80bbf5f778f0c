; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; All threads take the same side of the branch.

; CHECK-NOT: refused
; CHECK: region 2
define void @cdp.thread.uniform(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %c = icmp slt i32 %n, 10
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
