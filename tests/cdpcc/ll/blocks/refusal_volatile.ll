; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Each volatile access must happen as in the program, thread by thread.

; CHECK: refused: it has a volatile access
define void @cdp.thread.poll(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  store volatile i32 1, ptr %out, align 4
  ret void
}
