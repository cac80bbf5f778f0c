; RUN: cat %p %s | env CDPCC_SIZES=256x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Shared memory is in the cache.

; CHECK: plan for blocks of 256x1x1
; CHECK-NOT: prefetched
define void @cdp.thread.shared(ptr noalias readonly align 64 %params) {
  %out = call ptr @shared()
  %g = call i32 @global.x()
  %v = call float @get(ptr %out, i32 %g)
  %w = fmul float %v, 2.0
  call void @set(ptr %out, i32 %g, float %w)
  ret void
}
