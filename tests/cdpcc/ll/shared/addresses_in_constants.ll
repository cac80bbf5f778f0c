; RUN: cdpcc-opt --passes=collect,shared %s | FileCheck %s
; The address is a constant for the front end, but here it depends on the block. Constant
; expressions that contain it become instructions; for a phi they are at the end of the incoming
; edge. A constant array that contains it becomes a copy on the stack of each function that reads
; the array.
target triple = "x86_64-pc-linux-gnu"

@shared_word = private constant [11 x i8] c"cdp.shared\00"
@file = private constant [5 x i8] c"a.cu\00"
@x = internal global [4 x i32] undef, align 4
@array = private constant [2 x ptr] [ptr @x, ptr getelementptr (i8, ptr @x, i64 8)], align 8
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @x, ptr @shared_word, ptr @file, i32 3, ptr null }]

; CHECK: @array = private constant [2 x ptr] zeroinitializer
; CHECK-LABEL: define internal ptr @chosen
; CHECK: %x = getelementptr inbounds i8, ptr %cdp.slab, i64 0
; CHECK: some:
; CHECK-NEXT: [[PLACE:%.*]] = getelementptr i8, ptr %x, i64 4
; CHECK-NEXT: br label %end
; CHECK: phi ptr [ null, %0 ], [ [[PLACE]], %some ]
define internal ptr @chosen(i1 %c) {
  br i1 %c, label %some, label %end
some:
  br label %end
end:
  %p = phi ptr [ null, %0 ], [ getelementptr (i8, ptr @x, i64 4), %some ]
  ret ptr %p
}

; CHECK-LABEL: define internal ptr @indexed
; CHECK: [[COPY:%.*]] = alloca [2 x ptr], align 8
; CHECK: [[FIRST:%.*]] = insertvalue [2 x ptr] poison, ptr %x, 0
; CHECK: [[EIGHT:%.*]] = getelementptr i8, ptr %x, i64 8
; CHECK: [[BOTH:%.*]] = insertvalue [2 x ptr] [[FIRST]], ptr [[EIGHT]], 1
; CHECK: store [2 x ptr] [[BOTH]], ptr [[COPY]]
; CHECK: getelementptr [2 x ptr], ptr [[COPY]], i64 0, i64 %i
define internal ptr @indexed(i64 %i) {
  %at = getelementptr [2 x ptr], ptr @array, i64 0, i64 %i
  %p = load ptr, ptr %at
  ret ptr %p
}
