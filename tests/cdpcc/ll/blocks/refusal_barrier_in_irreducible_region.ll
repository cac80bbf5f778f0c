; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; After the barrier, control enters the rest of the loop at two nodes.

; CHECK: refused: a barrier is in an irreducible or endless loop
define void @cdp.thread.jump(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %second ]
  call void @use(i32 %k)
  %c = icmp slt i32 %k, %m
  br i1 %c, label %first, label %meet
meet:
  call void @cdp_abi_syncthreads()
  call void @use(i32 1)
  %d = icmp eq i32 %k, 5
  br i1 %d, label %first, label %second
first:
  call void @use(i32 2)
  br label %second
second:
  call void @use(i32 3)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
