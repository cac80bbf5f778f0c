; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; The low bits of an affine value are affine modulo their width. A conversion to floating point is
; not affine.

; CHECK: affine 3: %more = mul
; CHECK: affine 3: %narrow = trunc
; CHECK: varying: %again = uitofp
define void @cdp.thread.truncate(ptr noalias readonly align 64 %params) {
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %more = mul nsw i64 %wide, 3
  call void @use.i64(i64 %more)
  %narrow = trunc i64 %more to i32
  call void @use(i32 %narrow)
  %again = uitofp i32 %narrow to float
  call void @use.float(float %again)
  ret void
}
