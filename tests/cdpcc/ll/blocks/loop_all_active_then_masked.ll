; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; for (i = thread; i < n; i += threads of the block): all lanes are active in nearly all iterations.
; These run without masks, and only the remainder is masked. Nothing is prefetched, because the data
; of the next iteration is near.

; CHECK: loop: all-active iterations, then a masked remainder{{$}}
; CHECK: load of 4 bytes: contiguous{{$}}
define void @cdp.thread.each(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %t = call i32 @thread.x()
  %s = call i32 @size.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %0 ], [ %next, %loop ]
  %x = call float @get(ptr %in, i32 %i)
  %y = fmul float %x, 2.0
  call void @set(ptr %in, i32 %i, float %y)
  %next = add nuw nsw i32 %i, %s
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
