; RUN: cat %p %s | cdpcc-opt --print=plan --check=race -march=x86-64-v4 - | FileCheck %s
; RUN: cat %p %s | cdpcc-opt --print=plan --check=init -march=x86-64-v4 - | FileCheck %s --check-prefix=INIT
; The check of races orders threads by the volatile accesses that they make.

; CHECK: refused: --check=race looks at volatile accesses lane by lane
; INIT: plan for blocks of one row
define void @cdp.thread.sets(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %i)
  store volatile i32 1, ptr %at, align 4
  ret void
}
