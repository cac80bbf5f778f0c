; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A float2, which the ABI passes as a vector, becomes two scalars.

; CHECK-NOT: refused
; CHECK: load of 4 bytes: interleave group
; CHECK: call of f: vectorized
define internal <2 x float> @f(<2 x float> %a) noinline {
  %b = fadd <2 x float> %a, %a
  ret <2 x float> %b
}
define void @cdp.thread.float2(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %at = getelementptr <2 x float>, ptr %in, i64 %wide
  %x = load <2 x float>, ptr %at, align 8
  %y = call <2 x float> @f(<2 x float> %x)
  store <2 x float> %y, ptr %at, align 8
  ret void
}
