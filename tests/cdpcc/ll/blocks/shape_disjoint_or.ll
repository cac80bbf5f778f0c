; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; LLVM writes a sum of numbers that have no bits in common as "or disjoint".

; CHECK: affine 2: %odd = or disjoint
; CHECK: varying: %bits = or i32
define void @cdp.thread.or(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %even = shl i32 %g, 1
  %odd = or disjoint i32 %even, 1
  call void @use(i32 %odd)
  %bits = or i32 %even, %n
  call void @use(i32 %bits)
  ret void
}
