; RUN: not cdpcc-opt --passes=collect,params %s 2>&1 | FileCheck %s --implicit-check-not=error:
; The signature does not show the source's parameters. A kernel with parameters but without debug
; information is an error.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: kernel 'kernel' has no debug information
@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @without, ptr @word, ptr @file, i32 2, ptr null }]

define void @kernel(i32 %x) {
  ret void
}

define void @without() {
  ret void
}
