; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A load from different addresses is varying. A load from a uniform address is uniform.

; CHECK: affine 4: [[EACH:%.*]] = getelementptr float
; CHECK-NEXT: varying: {{.*}} = load float, ptr [[EACH]]
; CHECK: vector: %row = lshr
; CHECK: vector: [[ROW:%.*]] = getelementptr float
; CHECK-NEXT: vector: {{.*}} = load float, ptr [[ROW]]
define void @cdp.thread.load(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %each = call float @get(ptr %in, i32 %g)
  call void @use.float(float %each)
  %t = call i32 @thread.x()
  %row = lshr i32 %t, 4
  %of.vector = call float @get(ptr %in, i32 %row)
  call void @use.float(float %of.vector)
  ret void
}
