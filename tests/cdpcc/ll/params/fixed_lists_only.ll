; RUN: not cdpcc-opt --passes=collect,params %s 2>&1 | FileCheck %s
; A launch writes a kernel's parameters to a buffer with a known layout. A variable argument list
; has no such layout.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: kernel 'kernel' has '...': a kernel takes a fixed list of parameters
@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]

define void @kernel(...) {
  ret void
}
