; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; If a region calls functions, interleaved vectors save no time.

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
