; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; An element of one bit takes a whole byte in memory, but not in a vector. So the access is
; scalarized.

; CHECK: store of 1 byte: scalarized: its type has no vector form
define void @cdp.thread.bits(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %at = getelementptr i1, ptr %out, i64 %wide
  %c = icmp slt i32 %g, %n
  store i1 %c, ptr %at, align 1
  ret void
}
