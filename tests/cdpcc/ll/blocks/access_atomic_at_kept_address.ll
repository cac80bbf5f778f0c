; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; RUN: cat %p %s | env CDPCC_VECTORS=1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The address of an atomic operation is computed before a barrier, and only the address lives beyond it.
; So it cannot be computed again from its operands.

; CHECK: kernel kept
; CHECK: region 2: {{.*}} values from earlier regions
; CHECK: atomic operation: plain operations
define void @cdp.thread.kept(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %s = call ptr @shared()
  %g = call i32 @global.x()
  %f = call float @get(ptr %in, i32 %g)
  %i = fptosi float %f to i32
  %low = and i32 %i, 15
  %wide = zext i32 %low to i64
  %p = getelementptr i32, ptr %s, i64 %wide
  call void @cdp_abi_syncthreads()
  %old = atomicrmw add ptr %p, i32 %g monotonic
  call void @set(ptr %out, i32 %g, float %f)
  ret void
}
