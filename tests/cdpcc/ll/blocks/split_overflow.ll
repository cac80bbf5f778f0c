; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A product and a bit that says whether it overflows, and a number of three bytes.

; CHECK-NOT: refused
; CHECK-LABEL: overflow
; CHECK-NOT: scalarized
; CHECK-LABEL: bytes
; CHECK: load of 1 byte: interleave group (3 times)
declare {i64, i1} @llvm.umul.with.overflow.i64(i64, i64)
define void @cdp.thread.overflow(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %at = getelementptr i64, ptr %in, i64 %wide
  %x = load i64, ptr %at, align 8
  %both = call {i64, i1} @llvm.umul.with.overflow.i64(i64 %x, i64 %wide)
  %product = extractvalue {i64, i1} %both, 0
  %bit = extractvalue {i64, i1} %both, 1
  %y = select i1 %bit, i64 7, i64 %product
  store i64 %y, ptr %at, align 8
  ret void
}
define void @cdp.thread.bytes(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %from = getelementptr [3 x i8], ptr %in, i64 %wide
  %to = getelementptr [3 x i8], ptr %out, i64 %wide
  %x = load i24, ptr %from, align 1
  store i24 %x, ptr %to, align 1
  ret void
}
