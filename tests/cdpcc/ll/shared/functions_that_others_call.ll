; RUN: cdpcc-opt --passes=collect,params,entry,shared %s | FileCheck %s
; If other units may call a function, its kernels are unknown. Its variables are at an offset that
; the runtime chooses for the unit, after the variables of every kernel. An inline function becomes
; internal to the unit instead.
target triple = "x86_64-pc-linux-gnu"

@shared_word = private constant [11 x i8] c"cdp.shared\00"
@file = private constant [5 x i8] c"a.cu\00"
@open = internal global [4 x i32] undef, align 4
@inlined = internal global [4 x i32] undef, align 4
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @open, ptr @shared_word, ptr @file, i32 3, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @inlined, ptr @shared_word, ptr @file, i32 4, ptr null }]

; CHECK: @cdp.segment = internal externally_initialized global { i64, i32, i32, ptr } { i64 0, i32 16, i32 1, ptr @cdp.shared }, section "cdp_shared"
; CHECK: define void @called_by_others()
; CHECK: [[BASE:%.*]] = load i64, ptr @cdp.segment
; CHECK: [[SEGMENT:%.*]] = getelementptr inbounds i8, ptr %cdp.slab, i64 [[BASE]]
; CHECK: [[OPEN:%.*]] = getelementptr inbounds i8, ptr [[SEGMENT]], i64 0
; CHECK: store i32 1, ptr [[OPEN]]
define void @called_by_others() {
  store i32 1, ptr @open
  ret void
}

; CHECK: define internal void @of_a_header()
; CHECK: [[INLINED:%.*]] = getelementptr inbounds i8, ptr %cdp.slab, i64 0
; CHECK: store i32 1, ptr [[INLINED]]
define linkonce_odr void @of_a_header() {
  store i32 1, ptr @inlined
  ret void
}
