; RUN: cdpcc-opt --passes=collect,params,warp,entry,table -arch=sm_90 %s | FileCheck %s
; A kernel that certainly has no warp operation may run its threads one by one: bit 2 of its flags,
; the second word, is clear (90 << 16 is 5898240). Functions of other units are unknown, also if a
; function of this unit calls them, and so are calls through pointers. The C library runs no device
; code.
target triple = "x86_64-pc-linux-gnu"

@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [4 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @plain, ptr @word, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @votes, ptr @word, ptr @file, i32 2, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @calls, ptr @word, ptr @file, i32 3, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @by_pointer, ptr @word, ptr @file, i32 4, ptr null }]

; CHECK: @plain.cdpk = global {{.*}} <{ i32 [[VERSION:[0-9]+]], i32 5898240, ptr
; CHECK: @votes.cdpk = global {{.*}} <{ i32 [[VERSION]], i32 5898244, ptr
; CHECK: @calls.cdpk = global {{.*}} <{ i32 [[VERSION]], i32 5898244, ptr
; CHECK: @by_pointer.cdpk = global {{.*}} <{ i32 [[VERSION]], i32 5898244, ptr
define void @plain() {
  %a = call i64 @strlen(ptr @word)
  ret void
}

define void @votes() {
  %a = call i32 @__ballot_sync(i32 -1, i32 1)
  ret void
}

define void @calls() {
  call void @between()
  ret void
}

define internal void @between() {
  call void @of_another_unit()
  ret void
}

define void @by_pointer() {
  %f = load ptr, ptr null
  call void %f()
  ret void
}

declare i64 @strlen(ptr)
declare i32 @__ballot_sync(i32, i32)
declare void @of_another_unit()
