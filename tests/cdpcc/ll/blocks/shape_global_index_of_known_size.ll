; RUN: cat %p %s | \
; RUN:   env CDPCC_SIZES=256x1x1 cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; blockIdx.x << 8 is the block's first thread in the version for 256 threads, but in no other
; version of the kernel.

; CHECK: shapes of global
; CHECK: affine 1: {{.*}} = sext i32
; CHECK: shapes of global
; CHECK: affine 1 by test: %wide = sext i32
define void @cdp.thread.global(ptr noalias readonly align 64 %params) {
  %b = call i32 @block.x()
  %t = call i32 @thread.x()
  %first = shl i32 %b, 8
  %sum = add i32 %first, %t
  %wide = sext i32 %sum to i64
  call void @use.i64(i64 %wide)
  ret void
}
