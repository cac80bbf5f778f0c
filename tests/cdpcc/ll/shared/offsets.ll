; RUN: cdpcc-opt --passes=collect,params,entry,shared %s | FileCheck %s
; A variable has one offset for all kernels that reach it, also through functions. Kernels without
; common variables may overlap: "mine" and "yours" both start at 0, "ours" starts after the larger
; one. No kernel pays for another's variables.
target triple = "x86_64-pc-linux-gnu"

@kernel_word = private constant [11 x i8] c"cdp.kernel\00"
@shared_word = private constant [11 x i8] c"cdp.shared\00"
@file = private constant [5 x i8] c"a.cu\00"
@mine = internal global [4 x i32] undef, align 4
@yours = internal global [8 x i32] undef, align 4
@ours = internal global i64 undef, align 16
@llvm.global.annotations = appending global [5 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @a, ptr @kernel_word, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @b, ptr @kernel_word, ptr @file, i32 2, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @mine, ptr @shared_word, ptr @file, i32 3, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @yours, ptr @shared_word, ptr @file, i32 4, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @ours, ptr @shared_word, ptr @file, i32 5, ptr null }]

; CHECK-NOT: @mine
; CHECK: define internal void @both()
; CHECK: [[SLAB:%.*]] = load ptr,
; CHECK: [[OURS:%.*]] = getelementptr inbounds i8, ptr %cdp.slab, i64 32
; CHECK: store i64 1, ptr [[OURS]]
define internal void @both() {
  store i64 1, ptr @ours
  ret void
}

; CHECK: define hidden void @cdp.thread.a(
; CHECK: [[MINE:%.*]] = getelementptr inbounds i8, ptr %cdp.slab, i64 0
; CHECK: store i32 1, ptr [[MINE]]
define void @a() {
  store i32 1, ptr @mine
  call void @both()
  ret void
}

; CHECK: define hidden void @cdp.thread.b(
; CHECK: [[YOURS:%.*]] = getelementptr inbounds i8, ptr %cdp.slab, i64 0
; CHECK: store i32 1, ptr [[YOURS]]
define void @b() {
  store i32 1, ptr @yours
  call void @both()
  ret void
}
