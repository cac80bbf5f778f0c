; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Numbers drawn from a counter pass the bound at some time, whatever other threads do.

; CHECK-NOT: refused
; CHECK: loop: divergent, masked
define void @cdp.thread.draw(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  br label %loop
loop:
  %number = atomicrmw add ptr %in, i32 1 monotonic, align 4
  %ends = icmp sge i32 %number, %n
  br i1 %ends, label %end, label %work
work:
  call void @set(ptr %out, i32 %number, float 1.0)
  br label %loop
end:
  ret void
}
