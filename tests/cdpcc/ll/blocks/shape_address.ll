; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; An index counts elements and an address counts bytes. So the stride is multiplied by the element's
; size.

; CHECK: affine 4: %single = getelementptr
; CHECK: affine 8: %double = getelementptr
; CHECK: affine 16: %moved = getelementptr
define void @cdp.thread.address(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %single = getelementptr float, ptr %in, i64 %wide
  call void @use.ptr(ptr %single)
  %double = getelementptr double, ptr %in, i64 %wide
  call void @use.ptr(ptr %double)
  %moved = getelementptr { double, float }, ptr %in, i64 %wide, i32 1
  call void @use.ptr(ptr %moved)
  ret void
}
