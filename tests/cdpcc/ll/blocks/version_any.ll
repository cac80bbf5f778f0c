; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The row is uniform in a vector of the rows layout. In any other block it differs between lanes.

; CHECK: plan for rows that are multiples of a vector
; CHECK: store of 4 bytes: uniform
; CHECK: plan for any block
; CHECK: store of 4 bytes: scatter
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %y = call i32 @global.y()
  call void @set(ptr %in, i32 %y, float 1.0)
  ret void
}
