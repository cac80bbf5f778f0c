; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A loop that counts up to a bound in memory ends unless other threads change the bound. So it does
; not wait, not even with fences.

; CHECK-NOT: refused
; CHECK: loop: uniform
define void @cdp.thread.bound(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  fence seq_cst
  call void @set(ptr %out, i32 %k, float 1.0)
  %next = add i32 %k, 1
  %n = load i32, ptr %in, align 4
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
