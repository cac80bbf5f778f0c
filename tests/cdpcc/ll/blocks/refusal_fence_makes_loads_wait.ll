; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; With a fence, plain loads see stores of other threads. So the loop may poll.

; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.fence(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  br label %loop
loop:
  fence seq_cst
  %x = load i32, ptr %in, align 4
  %waits = icmp eq i32 %x, 0
  br i1 %waits, label %loop, label %end
end:
  ret void
}
