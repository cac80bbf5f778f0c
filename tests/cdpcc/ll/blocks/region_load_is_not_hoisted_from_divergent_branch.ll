; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Perhaps no thread reaches the load. Then the load could fault.

; CHECK: region 1: 3 nodes
; CHECK-NOT: hoisted
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  %c = icmp slt i32 %g, %n
  br i1 %c, label %work, label %end
work:
  %x = load float, ptr %in, align 4
  call void @set(ptr %in, i32 %g, float %x)
  br label %end
end:
  ret void
}
