; RUN: cat %p %s | env CDPCC_SIZES=128x1x1,256x1x1,512x1x1 \
; RUN:   cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; At most two sizes have versions, because each costs compile time.

; CHECK: plan for blocks of 128x1x1
; CHECK: plan for blocks of 256x1x1
; CHECK-NOT: 512x1x1
; CHECK: plan for blocks of one row
define void @cdp.thread.sized(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  ret void
}
