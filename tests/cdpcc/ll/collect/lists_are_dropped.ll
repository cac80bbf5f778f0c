; RUN: cdpcc-opt --passes=collect %s | FileCheck %s
; The front end's lists name values that the program does not use. The lists would keep these alive,
; and would make addresses escape that later passes replace.
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: llvm.global.annotations
; CHECK-NOT: llvm.used
; CHECK-NOT: llvm.compiler.used
; CHECK-NOT: __clang_gpu_used_external
; CHECK: define void @kernel
@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]
@llvm.used = appending global [1 x ptr] [ptr @kernel]
@llvm.compiler.used = appending global [1 x ptr] [ptr @__clang_gpu_used_external]
@__clang_gpu_used_external = internal global [1 x ptr] [ptr @kernel]

define void @kernel() {
  ret void
}
