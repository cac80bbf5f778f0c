; RUN: not cdpcc-opt --passes=collect,shared %s 2>&1 | FileCheck %s --implicit-check-not=error:
; A block's shared memory is aligned to 1024 bytes, so no variable can have a larger alignment.
target triple = "x86_64-pc-linux-gnu"

@shared_word = private constant [11 x i8] c"cdp.shared\00"
@file = private constant [5 x i8] c"a.cu\00"
; CHECK: error: the shared variable 'wide' is aligned to 2048 bytes; at most 1024 are possible
@wide = internal global i32 undef, align 2048
@line = internal global i32 undef, align 1024
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @wide, ptr @shared_word, ptr @file, i32 3, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @line, ptr @shared_word, ptr @file, i32 4, ptr null }]
