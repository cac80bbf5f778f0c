; RUN: cdpcc-opt --passes=collect,params,entry %s | FileCheck %s
; A kernel's address is its descriptor, so a launch in device code needs no look-up. The descriptor
; of a kernel of another unit is external. Many threads run a kernel at the same time, so it is not
; "norecurse": its variables must not become locals.
target triple = "x86_64-pc-linux-gnu"

@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @of_another_unit, ptr @word, ptr @file, i32 2, ptr null }]

; CHECK-DAG: @kernel.cdpk = external global [{{[0-9]+}} x i64], align 8
; CHECK-DAG: @of_another_unit.cdpk = external global [{{[0-9]+}} x i64], align 8
; CHECK: call void @launch(ptr @kernel.cdpk)
; CHECK: call void @launch(ptr @of_another_unit.cdpk)
define void @parent() {
  call void @launch(ptr @kernel)
  call void @launch(ptr @of_another_unit)
  ret void
}

; CHECK-NOT: @kernel()
; CHECK-NOT: @of_another_unit()
; CHECK: define hidden void @cdp.thread.kernel(ptr {{.*}}) [[ATTRIBUTES:#[0-9]+]]
; CHECK: attributes [[ATTRIBUTES]] = { convergent mustprogress nounwind "frame-pointer"="all" }
define void @kernel() mustprogress norecurse "frame-pointer"="all" {
  ret void
}

declare void @of_another_unit()
declare void @launch(ptr)
