; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; One worker runs a block, and no other thread accesses its shared memory. So operations there need
; not be atomic.

; CHECK: atomic operation: plain operations, as the block's shared memory is its own
define void @cdp.thread.histogram(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %s, i32 %g)
  %old = atomicrmw add ptr %at, i32 1 monotonic, align 4
  ret void
}
