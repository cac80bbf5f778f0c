; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; All lanes have the same number of iterations. So the loop is a uniform loop, and what it loads by
; its counter is uniform.

; CHECK: loop: uniform{{$}}
; CHECK: load of 4 bytes: uniform
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %x = call float @get(ptr %in, i32 %k)
  %more = fadd float %sum, %x
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  call void @set(ptr %out, i32 %g, float %more)
  ret void
}
