; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The lowest bits of an index restart at zero from time to time. If they count at least as many
; lanes as a vector has, a test is useful. Fewer bits, or bits with gaps, certainly restart within a
; vector.

; CHECK: affine 1 by test: %low = and i32 {{.*}}, 63
; CHECK: varying: %lower = and i32 {{.*}}, 7
; CHECK: varying: %odd = and i32 {{.*}}, 62
define void @cdp.thread.mask(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %low = and i32 %g, 63
  call void @use(i32 %low)
  %lower = and i32 %g, 7
  call void @use(i32 %lower)
  %odd = and i32 %g, 62
  call void @use(i32 %odd)
  ret void
}
