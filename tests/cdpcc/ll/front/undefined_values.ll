; RUN: cdpcc-opt --passes=front %s | FileCheck %s
; The front end leaves some values undefined: bools that are neither 0 nor 1, intrinsics that are
; poison for one number, and constants without a value.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @bool
; CHECK: [[BYTE:%.*]] = load i8, ptr %p, align 1
; CHECK-NOT: range
; CHECK: [[SET:%.*]] = icmp ne i8 [[BYTE]], 0
; CHECK-NEXT: ret i1 [[SET]]
define i1 @bool(ptr %p) {
  %byte = load i8, ptr %p, align 1, !range !0
  %set = trunc nuw i8 %byte to i1
  ret i1 %set
}

; Of type-based alias information only one fact is kept: which copies assign a class.
; CHECK-LABEL: @types
; CHECK: store i32 1, ptr %p, align 4{{$}}
; CHECK: call void @llvm.memcpy{{.*}}), !cdp.assignment
define void @types(ptr %p, ptr %q) {
  store i32 1, ptr %p, align 4, !tbaa !1
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 16, i1 false), !tbaa.struct !4
  ret void
}

; CHECK-LABEL: @intrinsics
; CHECK: @llvm.abs.i32(i32 %x, i1 false)
; CHECK: @llvm.ctlz.i32(i32 %x, i1 false)
; CHECK: @llvm.cttz.i32(i32 %x, i1 false)
define i32 @intrinsics(i32 %x) {
  %a = call i32 @llvm.abs.i32(i32 %x, i1 true)
  %b = call i32 @llvm.ctlz.i32(i32 %x, i1 true)
  %c = call i32 @llvm.cttz.i32(i32 %x, i1 true)
  %d = add i32 %a, %b
  %e = add i32 %c, %d
  ret i32 %e
}

; CHECK-LABEL: @constants
; CHECK: store i32 0, ptr %p
; CHECK: br i1 false
; CHECK: ret i32 0
define i32 @constants(ptr %p) {
  store i32 poison, ptr %p
  br i1 poison, label %a, label %b
a:
  ret i32 poison
b:
  ret i32 1
}

; Aggregates are built from poison.
; CHECK-LABEL: @aggregate
; CHECK: insertvalue { i32, i32 } poison, i32 1, 0
define { i32, i32 } @aggregate() {
  %s = insertvalue { i32, i32 } poison, i32 1, 0
  ret { i32, i32 } %s
}

declare i32 @llvm.abs.i32(i32, i1)
declare i32 @llvm.ctlz.i32(i32, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{i8 0, i8 2}
!1 = !{!2, !2, i64 0}
!2 = !{!"int", !3, i64 0}
!3 = !{!"Simple C++ TBAA"}
!4 = !{i64 0, i64 16, !1}
