; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; All lanes leave the loop in the same iteration, so its live-out values are uniform.

; CHECK: uniform: %next = mul
; CHECK: uniform: %next.lcssa = phi
define void @cdp.thread.leave(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  br label %loop
loop:
  %k = phi i32 [ 1, %0 ], [ %next, %loop ]
  call void @use(i32 %k)
  %next = mul i32 %k, %n
  %more = icmp slt i32 %next, %m
  br i1 %more, label %loop, label %end
end:
  call void @use(i32 %next)
  ret void
}
