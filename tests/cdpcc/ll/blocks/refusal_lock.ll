; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The lane that has the lock releases it after the loop. It cannot leave the loop while the other
; lanes of its vector poll.

; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.lock(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  br label %loop
loop:
  %old = cmpxchg ptr %in, i32 0, i32 1 acquire monotonic, align 4
  %done = extractvalue { i32, i1 } %old, 1
  br i1 %done, label %end, label %loop
end:
  store atomic i32 0, ptr %in release, align 4
  ret void
}
