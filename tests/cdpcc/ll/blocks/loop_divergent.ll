; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Each lane iterates as often as its own list is long. The loop runs under masks until few lanes are
; active, which then run one after the other.

; CHECK: loop: divergent, masked, the last {{[0-9]+}} one after the other: threads leave it at different times
define void @cdp.thread.list(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ %g, %0 ], [ %next, %loop ]
  %at = call ptr @element(ptr %in, i32 %k)
  %next = load i32, ptr %at, align 4
  %goes.on = icmp sge i32 %next, 0
  br i1 %goes.on, label %loop, label %end
end:
  %to = call ptr @element(ptr %out, i32 %g)
  store i32 %k, ptr %to, align 4
  ret void
}
