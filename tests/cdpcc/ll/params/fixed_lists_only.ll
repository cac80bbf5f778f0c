; RUN: not cdpcc-opt --passes=collect,params %s 2>&1 | FileCheck %s
; A kernel's parameters lie in a buffer whose layout the launch knows: "..." has none.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: kernel 'kernel' has '...': a kernel takes a fixed list of parameters
@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]

define void @kernel(...) {
  ret void
}
