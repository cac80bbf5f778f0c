; RUN: not cdpcc-opt --passes=collect,shared %s 2>&1 | FileCheck %s --implicit-check-not=error:
; A variable has one initial value for all blocks, so it cannot be initialized with an address of
; shared memory. A constant that nothing reads is no error: the front end has replaced its uses.
target triple = "x86_64-pc-linux-gnu"

@shared_word = private constant [11 x i8] c"cdp.shared\00"
@file = private constant [5 x i8] c"a.cu\00"
@x = internal global [4 x i32] undef, align 4
; CHECK: error: the initial value of 'pointer' is the address of a shared variable
@pointer = global ptr @x
@reference = internal constant ptr @x
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @x, ptr @shared_word, ptr @file, i32 3, ptr null }]
