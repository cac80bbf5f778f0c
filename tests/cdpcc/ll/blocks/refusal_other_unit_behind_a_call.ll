; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Functions of this unit are searched at any depth of calls.

; CHECK: refused: it calls a function of another unit
declare void @elsewhere.cdp()
define void @between() noinline {
  call void @elsewhere.cdp()
  ret void
}
define void @cdp.thread.other(ptr noalias readonly align 64 %params) {
  call void @between()
  ret void
}
