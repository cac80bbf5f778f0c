; RUN: cat %p %s | env CDPCC_SIZES=2x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Blocks of so few threads are faster by thread entries.

; CHECK-NOT: 2x1x1
; CHECK: plan for blocks of one row
define void @cdp.thread.tiny(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  ret void
}
