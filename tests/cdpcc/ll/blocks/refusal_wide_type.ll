; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Elements of vectors have at most 64 bits.

; CHECK: refused: it has values of a type that vectors do not hold
define void @cdp.thread.wide(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = load i128, ptr %in, align 16
  %y = mul i128 %x, %x
  store i128 %y, ptr %out, align 16
  ret void
}
