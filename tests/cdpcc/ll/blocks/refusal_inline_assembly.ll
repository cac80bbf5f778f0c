; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The effect of inline assembly is unknown, and it has no vector form.

; CHECK: refused: it has inline assembly
define void @cdp.thread.assembly(ptr noalias readonly align 64 %params) {
  call void asm sideeffect "nop", ""()
  ret void
}
