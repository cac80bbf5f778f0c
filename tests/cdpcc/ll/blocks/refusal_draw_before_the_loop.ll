; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The number is drawn once, before the loop. So it does not grow, and the loop waits for the flag.

; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.draw(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %number = atomicrmw add ptr %in, i32 1 monotonic, align 4
  call void @set(ptr %out, i32 %number, float 1.0)
  br label %loop
loop:
  %flag = load atomic i32, ptr %out monotonic, align 4
  %is.set = icmp ne i32 %flag, 0
  call void @set(ptr %in, i32 %flag, float 1.0)
  %ends = icmp sge i32 %number, %n
  br i1 %ends, label %end, label %poll
poll:
  call void @set(ptr %in, i32 %n, float 2.0)
  br i1 %is.set, label %end, label %loop
end:
  ret void
}
