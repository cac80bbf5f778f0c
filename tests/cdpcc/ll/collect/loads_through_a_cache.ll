; RUN: cdpcc-opt --passes=collect %s | FileCheck %s
; Relaxed loads in functions that read through a cache (__ldcg and the like) are marked. Block
; entries may convert them to vectors, which is not allowed for other relaxed loads.
target triple = "x86_64-pc-linux-gnu"

@word = private constant [11 x i8] c"cdp.cached\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @through, ptr @word, ptr @file, i32 1, ptr null }]

; CHECK-LABEL: @through
; CHECK: load atomic i32, ptr %p monotonic, align 4, !cdp.cached
; CHECK: load i32, ptr %p, align 4{{$}}
define i32 @through(ptr %p) {
  %a = load atomic i32, ptr %p monotonic, align 4
  %b = load i32, ptr %p, align 4
  %c = add i32 %a, %b
  ret i32 %c
}

; CHECK-LABEL: @own
; CHECK: load atomic i32, ptr %p monotonic, align 4{{$}}
define i32 @own(ptr %p) {
  %a = load atomic i32, ptr %p monotonic, align 4
  ret i32 %a
}
