; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Such a loop has no exit, so no lane ever leaves it.

; CHECK: refused: it has a loop without an end
define void @cdp.thread.forever(ptr noalias readonly align 64 %params) {
  br label %loop
loop:
  call void @use(i32 1)
  br label %loop
}
