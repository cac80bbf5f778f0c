; RUN: cdpcc-opt --passes=collect,pointers %s 2>&1 | FileCheck %s
; RUN: cdpcc-opt --passes=collect,pointers -Wno-cdp-shared-pointer %s 2>&1 | FileCheck %s --check-prefix=OFF
; A child cannot use its parent's shared memory either. If the pointer may point to several
; variables, the message says so.
target triple = "x86_64-pc-linux-gnu"

@shared_word = private constant [11 x i8] c"cdp.shared\00"
@file = private constant [5 x i8] c"a.cu\00"
@x = internal global [4 x i32] undef, align 4
@variable = global i32 0
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @x, ptr @shared_word, ptr @file, i32 3, ptr null }]

; CHECK: warning: pointer to shared variable 'x' passed to child kernel 'child'
; CHECK: warning: pointer that may point to shared variable 'x' passed to child kernel 'child'
; CHECK-NOT: warning:
; OFF-NOT: warning:
define void @f(i1 %c) {
  call void @start(ptr getelementptr (i8, ptr @x, i64 4))
  %p = select i1 %c, ptr @x, ptr @variable
  call void @start(ptr %p)
  ret void
}

define internal void @start(ptr %p) {
  %buffer = call ptr @cudaGetParameterBufferV2(ptr @child)
  store ptr %p, ptr %buffer
  %status = call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr null)
  ret void
}

declare void @child(ptr)
declare ptr @cudaGetParameterBufferV2(ptr)
declare i32 @cudaLaunchDeviceV2(ptr, ptr)
