; RUN: cat %p %s | env CDPCC_SIZES=32x8x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The threads of all rows store the same value at the same address, so one row runs. Atomic operations
; count each row, and volatile accesses are made by each row.

; CHECK: kernel copies: plan for blocks of 32x1x1:
define void @cdp.thread.copies(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %v = call float @get(ptr %in, i32 %x)
  call void @set(ptr %out, i32 %x, float %v)
  ret void
}

; CHECK: kernel rows: plan for blocks of 32x8x1:
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %y = call i32 @thread.y()
  %v = call float @get(ptr %in, i32 %y)
  call void @set(ptr %out, i32 %x, float %v)
  ret void
}

; CHECK: kernel counts: plan for blocks of 32x8x1:
define void @cdp.thread.counts(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %at = call ptr @element(ptr %out, i32 %x)
  %old = atomicrmw add ptr %at, i32 1 monotonic, align 4
  ret void
}

; CHECK: kernel volatiles: plan for blocks of 32x8x1:
define void @cdp.thread.volatiles(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %at = call ptr @element(ptr %out, i32 %x)
  store volatile i32 %x, ptr %at, align 4
  ret void
}
