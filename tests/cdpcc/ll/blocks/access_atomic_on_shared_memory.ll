; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; One worker runs a block, and no other thread accesses its shared memory. So operations there need
; not be atomic. Integers at one address for all lanes are one operation, others straight code. Different
; addresses are a loop over vectors if the results are not used. Otherwise, and under masks, the lanes run
; one after the other.

; CHECK: kernel sum
; CHECK: atomic operation: one operation for the active lanes
define void @cdp.thread.sum(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %old = atomicrmw add ptr %s, i32 1 monotonic, align 4
  ret void
}

; CHECK: kernel floats
; CHECK: atomic operation: plain operations, as the block's shared memory is its own{{$}}
define void @cdp.thread.floats(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %old = atomicrmw fadd ptr %s, float 1.0 monotonic, align 4
  ret void
}

; CHECK: kernel histogram
; CHECK: atomic operation: plain operations in a loop over vectors, as the block's shared memory is its own
define void @cdp.thread.histogram(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %of = call ptr @element(ptr %in, i32 %g)
  %bin = load i32, ptr %of, align 4
  %at = call ptr @element(ptr %s, i32 %bin)
  %old = atomicrmw add ptr %at, i32 1 monotonic, align 4
  ret void
}

; CHECK: kernel ranks
; CHECK: atomic operation: plain operations, one lane after the other, as the block's shared memory is its own
define void @cdp.thread.ranks(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %of = call ptr @element(ptr %in, i32 %g)
  %bin = load i32, ptr %of, align 4
  %at = call ptr @element(ptr %s, i32 %bin)
  %old = atomicrmw add ptr %at, i32 1 monotonic, align 4
  store i32 %old, ptr %of, align 4
  ret void
}
