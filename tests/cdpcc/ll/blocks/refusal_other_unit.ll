; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Device functions of other units end with ".cdp". They may have barriers.

; CHECK: refused: it calls a function of another unit
declare void @elsewhere.cdp()
define void @cdp.thread.other(ptr noalias readonly align 64 %params) {
  call void @elsewhere.cdp()
  ret void
}
