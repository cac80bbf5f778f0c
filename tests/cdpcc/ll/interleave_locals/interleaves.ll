; RUN: cdpcc-opt --passes=interleave-locals %s | FileCheck %s
; The bytes of offsets in a local array are multiplied by the 16 threads of a group, and accesses are
; aligned to an element only. Bytes and halfwords become words. Short fills and copies become stores. An array stays as it is if its
; address escapes, its accesses differ in size, or a phi selects between two arrays.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%pair = type { float, i32 }

; CHECK-LABEL: @indices
; CHECK: %interleaved = alloca [1024 x i8], align 4, !cdp.interleaved ![[FOUR:[0-9]+]]
; CHECK: %[[ROW:.*]] = getelementptr inbounds [256 x i8], ptr %interleaved, i64 %i
; CHECK-NEXT: %[[ELEMENT:.*]] = getelementptr inbounds [64 x i8], ptr %[[ROW]], i64 %j
; CHECK-NEXT: load float, ptr %[[ELEMENT]], align 4
; CHECK: %[[ODD:.*]] = getelementptr inbounds [16 x i8], ptr %interleaved, i64 12
; CHECK-NEXT: store i32 7, ptr %[[ODD]], align 4
define float @indices(i64 %i, i64 %j) {
  %a = alloca [4 x [4 x float]], align 16
  call void @llvm.lifetime.start.p0(ptr %a)
  %p = getelementptr [4 x [4 x float]], ptr %a, i64 0, i64 %i, i64 %j
  %x = load float, ptr %p, align 16
  %q = getelementptr i8, ptr %a, i64 12
  store i32 7, ptr %q, align 4
  ret float %x
}

; CHECK-LABEL: @fields
; CHECK: alloca [512 x i8]
; CHECK: %[[AT:.*]] = getelementptr inbounds [128 x i8], ptr %interleaved, i64 %i
; CHECK-NEXT: getelementptr inbounds [16 x i8], ptr %[[AT]], i64 4
define i32 @fields(i64 %i) {
  %a = alloca [4 x %pair], align 4
  %p = getelementptr [4 x %pair], ptr %a, i64 0, i64 %i, i32 1
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; CHECK-LABEL: @loop
; CHECK: %interleaved = alloca [512 x i8], align 4, !cdp.interleaved ![[FOUR]]
; CHECK: %p = phi ptr [ %interleaved, %entry ], [ %[[NEXT:.*]], %body ]
; CHECK-NEXT: store i32 1, ptr %p, align 4
; CHECK: %[[NEXT]] = getelementptr inbounds [64 x i8], ptr %p, i64 1
; CHECK: icmp eq ptr %[[NEXT]], %[[END:.*]]
define void @loop() {
entry:
  %a = alloca [8 x i8], align 4
  %end = getelementptr i8, ptr %a, i64 8
  br label %body
body:
  %p = phi ptr [ %a, %entry ], [ %next, %body ]
  store i8 1, ptr %p, align 1
  %next = getelementptr i8, ptr %p, i64 1
  %done = icmp eq ptr %next, %end
  br i1 %done, label %out, label %body
out:
  ret void
}

; CHECK-LABEL: @half
; CHECK: alloca [256 x i8]
; CHECK: %[[ADDRESS:.*]] = getelementptr inbounds [64 x i8], ptr %interleaved, i64 %i
; CHECK-NEXT: %[[WORD:.*]] = load i32, ptr %[[ADDRESS]], align 4
; CHECK-NEXT: %[[BITS:.*]] = trunc i32 %[[WORD]] to i16
; CHECK-NEXT: %[[VALUE:.*]] = bitcast i16 %[[BITS]] to half
; CHECK-NEXT: ret half %[[VALUE]]
define half @half(i64 %i) {
  %a = alloca [4 x half], align 4
  %p = getelementptr [4 x half], ptr %a, i64 0, i64 %i
  %x = load half, ptr %p, align 2
  ret half %x
}

; CHECK-LABEL: @fill
; CHECK: store i32 16843009, ptr %{{.*}}, align 4
; CHECK: %[[SECOND:.*]] = getelementptr inbounds [64 x i8], ptr %interleaved, i64 1
; CHECK-NEXT: store i32 16843009, ptr %[[SECOND]], align 4
; CHECK-NOT: memset
define i32 @fill(i64 %i) {
  %a = alloca [2 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %a, i8 1, i64 8, i1 false)
  %p = getelementptr [2 x i32], ptr %a, i64 0, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; CHECK-LABEL: @copy
; CHECK: %[[FIRST:.*]] = load i32, ptr
; CHECK: %[[LAST:.*]] = load i32, ptr
; CHECK: store i32 %[[FIRST]]
; CHECK: store i32 %[[LAST]]
; CHECK-NOT: memcpy
define i32 @copy(i64 %i, ptr %from) {
  %a = alloca [2 x i32], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 %from, i64 8, i1 false)
  %p = getelementptr [2 x i32], ptr %a, i64 0, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; CHECK-LABEL: @escapes
; CHECK: alloca [4 x i32], align 4
; CHECK-NOT: interleaved
define i32 @escapes(i64 %i) {
  %a = alloca [4 x i32], align 4
  call void @use(ptr %a)
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; CHECK-LABEL: @sizes
; CHECK: alloca [4 x i32], align 4
; CHECK-NOT: interleaved
define i32 @sizes(i64 %i) {
  %a = alloca [4 x i32], align 4
  store i8 3, ptr %a, align 1
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; CHECK-LABEL: @two
; CHECK: alloca [4 x i32], align 4
; CHECK: alloca [4 x i32], align 4
; CHECK-NOT: interleaved
define i32 @two(i64 %i, i1 %c) {
  %a = alloca [4 x i32], align 4
  %b = alloca [4 x i32], align 4
  store i32 1, ptr %a, align 4
  store i32 2, ptr %b, align 4
  %base = select i1 %c, ptr %a, ptr %b
  %p = getelementptr i32, ptr %base, i64 %i
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

; CHECK-LABEL: @unaligned
; CHECK: alloca [4 x i32], align 4
; CHECK-NOT: interleaved
define i32 @unaligned(i64 %i) {
  %a = alloca [4 x i32], align 4
  %p = getelementptr i8, ptr %a, i64 %i
  %x = load i32, ptr %p, align 1
  ret i32 %x
}

; CHECK: ![[FOUR]] = !{i64 4}
declare void @use(ptr)
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
