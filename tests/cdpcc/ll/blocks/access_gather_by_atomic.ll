; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Each lane gets its index from a counter.

; CHECK: load of 4 bytes: gather: the index comes from an atomic operation
define void @cdp.thread.draw(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = atomicrmw add ptr %out, i32 1 monotonic, align 4
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %in, i32 %g, float %x)
  ret void
}
