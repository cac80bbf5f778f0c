; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; LLVM would add %base and %t before the loop, where the sum may wrap. Then the index could wrap around
; between threads, and the access would be tested.

; CHECK: kernel sum:
; CHECK: load of 4 bytes: contiguous{{$}}
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %base = call i32 @block.x()
  %t = call i32 @thread.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %total = phi float [ 0.0, %0 ], [ %more, %loop ]
  %step = mul nsw i32 %k, %n
  %row = add nsw i32 %base, %step
  %i = add nsw i32 %row, %t
  %x = call float @get(ptr %in, i32 %i)
  %more = fadd float %total, %x
  %next = add nsw i32 %k, 1
  %end = icmp eq i32 %next, 64
  br i1 %end, label %exit, label %loop
exit:
  call void @set(ptr %out, i32 %t, float %more)
  ret void
}
