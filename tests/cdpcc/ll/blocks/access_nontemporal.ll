; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The kernel writes contiguous parts of an array that it does not read. These stores may be
; nontemporal.

; CHECK: store of 4 bytes: contiguous, nontemporal if the grid is large
define void @cdp.thread.copy(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %g)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
