; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; There is one region. The kernel contains only memory accesses and arithmetic, so one call of the
; entry may run several blocks.

; CHECK: regions of flat: {{.*}}, several blocks a call
; CHECK: region 0
; CHECK-NOT: region 1
define void @cdp.thread.flat(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  ret void
}
