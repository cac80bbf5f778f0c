; RUN: cdpcc-opt --passes=collect,shared,mark-shared %s | FileCheck %s
; All extern __shared__ arrays are the block's dynamic shared memory. They have no annotation, but
; no other declaration is "protected". In a template this attribute is lost. There such an array is
; recognized as an array without a size that only templates use. Accesses by all names have one alias
; scope.
target triple = "x86_64-pc-linux-gnu"

@ints = external protected global [0 x i32], align 4
@of_a_template = external global [0 x float], align 4
@of_another_unit = external global [0 x i32], align 4

; CHECK-NOT: @ints
; CHECK-NOT: @of_a_template
; CHECK-LABEL: @by_template
; CHECK: getelementptr inbounds i8, ptr %cdp.block, i64 [[DYNAMIC:[0-9]+]]
; CHECK: store float 0.000000e+00, ptr %{{.*}}, align 4, !alias.scope [[SCOPE:![0-9]+]]
define linkonce_odr void @by_template() {
  store float 0.0, ptr @of_a_template
  ret void
}

; CHECK-LABEL: @use
; CHECK: getelementptr inbounds i8, ptr %cdp.block, i64 [[DYNAMIC]]
; CHECK: store i32 0, ptr %{{.*}}, align 4, !alias.scope [[SCOPE]]
; CHECK: store i32 0, ptr @of_another_unit
define void @use() {
  store i32 0, ptr @ints
  store i32 0, ptr @of_another_unit
  ret void
}
