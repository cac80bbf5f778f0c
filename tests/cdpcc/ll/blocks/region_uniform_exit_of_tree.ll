; RUN: cat %p %s | \
; RUN:   env CDPCC_SIZES=256x1x1 cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; The step halves around a barrier. In a block of known size each iteration becomes straight-line
; code. The exit of the loop is hoisted out of its chunk loop, so there is a path for each
; successor. In any other block it is an ordinary region.

; CHECK: regions of tree
; CHECK: region 1: 5 nodes, 0 loops, uniform exit
; CHECK-NEXT: path: tested, 4 vectors, 4 masked, edges left out, whole chunks, straight code if short
; CHECK-NEXT: path: tested, 4 vectors, 4 masked, edges left out, whole chunks, straight code if short
; CHECK: regions of tree
; CHECK-NOT: uniform exit
define void @cdp.thread.tree(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %s = call ptr @shared()
  %to = call ptr @element(ptr %s, i32 %t)
  store float 1.0, ptr %to, align 4
  br label %loop
loop:
  %half = phi i32 [ 128, %0 ], [ %next, %join ]
  call void @cdp_abi_syncthreads()
  %c = icmp ult i32 %t, %half
  br i1 %c, label %work, label %join
work:
  %other = add nuw nsw i32 %t, %half
  %x = call float @get(ptr %s, i32 %other)
  %y = load float, ptr %to, align 4
  %sum = fadd float %x, %y
  store float %sum, ptr %to, align 4
  br label %join
join:
  %next = lshr i32 %half, 1
  %goes.on = icmp ne i32 %next, 0
  br i1 %goes.on, label %loop, label %end
end:
  %all = load float, ptr %to, align 4
  call void @set(ptr %out, i32 %t, float %all)
  ret void
}
