; RUN: cdpcc-opt --passes=table %s | FileCheck %s
; The optimizer would convert a static variable that one function uses to a local variable, as if
; one thread alone ran the function. A listed variable is not converted. Constants may be removed.
target triple = "x86_64-pc-linux-gnu"

; CHECK: @llvm.compiler.used = appending global [1 x ptr] [ptr @counter], section "llvm.metadata"
@counter = internal global i32 0
@fixed = internal constant i32 1

define i32 @use() {
  %x = load i32, ptr @counter
  ret i32 %x
}
