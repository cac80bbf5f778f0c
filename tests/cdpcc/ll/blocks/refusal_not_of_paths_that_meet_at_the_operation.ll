; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Lanes on both sides of the first branch come to "common", but not all: those of "apart" meet the others at the
; shuffle only.  All lanes are there together.

; CHECK-NOT: refused
; CHECK: kernel warp: plan for
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %v = call float @get(ptr %in, i32 %t)
  %c = fcmp ogt float %v, 0.0
  br i1 %c, label %second, label %common
second:
  call void @set(ptr %out, i32 %t, float 1.0)
  %d = fcmp ogt float %v, 1.0
  br i1 %d, label %common, label %apart
common:
  call void @set(ptr %out, i32 %t, float 2.0)
  %e = fcmp ogt float %v, 2.0
  br i1 %e, label %last, label %join
last:
  call void @set(ptr %out, i32 %t, float 3.0)
  br label %join
apart:
  call void @set(ptr %out, i32 %t, float 4.0)
  br label %join
join:
  %x = call i32 @cdp_abi_shfl32(i32 -1, i32 %t, i32 1, i32 32, i32 3, ptr null)
  %f = sitofp i32 %x to float
  call void @set(ptr %out, i32 %t, float %f)
  %g = icmp slt i32 %x, %n
  br i1 %g, label %more, label %end
more:
  call void @set(ptr %in, i32 %t, float %f)
  br label %end
end:
  ret void
}
