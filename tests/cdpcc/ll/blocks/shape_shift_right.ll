; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A shift to the right is a quotient by a power of two. The thread's number in lane 0 is a multiple
; of the lanes. So its quotient is uniform in each vector without a test.

; CHECK: affine 0 by test: %row = lshr i32 {{.*}}, 5
; CHECK: varying: %short = lshr i32 {{.*}}, 3
; CHECK: vector: %vector = lshr i32 {{.*}}, 4
define void @cdp.thread.shift(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %row = lshr i32 %g, 5
  call void @use(i32 %row)
  %short = lshr i32 %g, 3
  call void @use(i32 %short)
  %t = call i32 @thread.x()
  %vector = lshr i32 %t, 4
  call void @use(i32 %vector)
  ret void
}
