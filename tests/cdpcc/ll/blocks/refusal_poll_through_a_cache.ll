; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A loop that repeatedly reads the same address through a cache waits for another thread to write
; there.

; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.poll(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  br label %loop
loop:
  %x = load atomic i32, ptr %in monotonic, align 4, !cdp.cached !{}
  %waits = icmp eq i32 %x, 0
  br i1 %waits, label %loop, label %end
end:
  ret void
}
