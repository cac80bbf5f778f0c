; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Accesses that order others, and atomic operations on global memory that cannot be reduced, run lane by
; lane.

; CHECK: load of 4 bytes: scalarized: it is atomic
; CHECK: store of 4 bytes: scalarized: it is atomic
; CHECK: atomic operation: one lane after the other
define void @cdp.thread.atomics(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %g)
  %x = load atomic i32, ptr %at acquire, align 4
  %there = call ptr @element(ptr %out, i32 %g)
  store atomic i32 %x, ptr %there release, align 4
  %old = atomicrmw xchg ptr %out, i32 %x monotonic, align 4
  ret void
}
