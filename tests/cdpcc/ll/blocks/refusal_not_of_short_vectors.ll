; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A vector of the program is scalarized first: its elements are fields of a structure.

; CHECK-NOT: refused
; CHECK: load of 4 bytes: interleave group (2 times)
define void @cdp.thread.float2(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %at = getelementptr <2 x float>, ptr %in, i64 %wide
  %x = load <2 x float>, ptr %at, align 8
  %y = fmul <2 x float> %x, %x
  store <2 x float> %y, ptr %at, align 8
  ret void
}
