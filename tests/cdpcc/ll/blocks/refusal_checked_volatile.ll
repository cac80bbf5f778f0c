; RUN: cat %p %s | cdpcc-opt --print=plan --check=memory -march=x86-64-v4 - | FileCheck %s
; Checked code has been optimized before, when nothing kept the lanes of a warp in step.

; CHECK: refused: --check and --count look at volatile accesses lane by lane
define void @cdp.thread.sets(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %i)
  store volatile i32 1, ptr %at, align 4
  ret void
}
