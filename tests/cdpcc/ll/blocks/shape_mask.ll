; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The lowest bits of an index restart at zero from time to time. If they count at least as many
; lanes as a vector has, a test is useful. Fewer bits, or bits with gaps, certainly restart within a
; vector. A vector's first thread has a multiple of the lanes as its number, so its low bits need no test.

; CHECK: affine 1 by test: %low = and i32 {{.*}}, 63
; CHECK: varying: %lower = and i32 {{.*}}, 7
; CHECK: varying: %odd = and i32 {{.*}}, 62
; CHECK: affine 1: %lane = and i32 {{.*}}, 31
; CHECK: affine 1: %half = and i32 {{.*}}, 15
; CHECK: varying: %quarter = and i32 {{.*}}, 7
; CHECK: affine 4: %product = and i32 {{.*}}, 124
; CHECK: affine 4: %rest = and i32 {{.*}}, 60
; CHECK: varying: %gap = and i32 {{.*}}, 120
; CHECK: varying: %few = and i32 {{.*}}, 28
; CHECK: varying: %of.global = and i32 {{.*}}, 124
define void @cdp.thread.mask(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %low = and i32 %g, 63
  call void @use(i32 %low)
  %lower = and i32 %g, 7
  call void @use(i32 %lower)
  %odd = and i32 %g, 62
  call void @use(i32 %odd)
  %t = call i32 @thread.x()
  %lane = and i32 %t, 31
  call void @use(i32 %lane)
  %half = and i32 %t, 15
  call void @use(i32 %half)
  %quarter = and i32 %t, 7
  call void @use(i32 %quarter)
  %fourfold = shl i32 %t, 2
  %product = and i32 %fourfold, 124
  call void @use(i32 %product)
  %rest = and i32 %fourfold, 63
  call void @use(i32 %rest)
  %gap = and i32 %fourfold, 120
  call void @use(i32 %gap)
  %few = and i32 %fourfold, 28
  call void @use(i32 %few)
  %global.fourfold = shl i32 %g, 2
  %of.global = and i32 %global.fourfold, 124
  call void @use(i32 %of.global)
  ret void
}
