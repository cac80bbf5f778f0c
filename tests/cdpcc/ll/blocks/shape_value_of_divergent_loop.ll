; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A counter is uniform for all lanes that are in the loop. After the loop each lane has the value
; with which it left.

; CHECK: uniform: %k = phi
; CHECK: uniform: %next = add
; CHECK: varying: %next.lcssa = phi
define void @cdp.thread.leave(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  call void @use(i32 %k)
  %next = add i32 %k, %n
  %more = icmp slt i32 %next, %t
  br i1 %more, label %loop, label %end
end:
  call void @use(i32 %next)
  ret void
}
