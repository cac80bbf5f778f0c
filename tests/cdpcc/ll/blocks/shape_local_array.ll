; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Each thread has its own local array. The arrays of the lanes are adjacent.

; CHECK: affine 24: %array = alloca [6 x float]
; CHECK: affine 24: %at = getelementptr
define void @cdp.thread.local(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %array = alloca [6 x float], align 4
  call void @use.ptr(ptr %array)
  %wide = sext i32 %n to i64
  %at = getelementptr float, ptr %array, i64 %wide
  call void @use.ptr(ptr %at)
  ret void
}
