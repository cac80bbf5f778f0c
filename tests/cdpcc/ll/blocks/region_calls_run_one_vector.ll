; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Where a region calls functions, nothing is gained by vectors side by side.

; CHECK: region 0
; CHECK-NEXT: path: split, 1 vectors, 1 masked
define void @cdp.thread.calls(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %out, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  call void @use(i32 %g)
  ret void
}
