; RUN: cdpcc-opt --passes=collect %s | FileCheck %s
; A static variable that a kernel uses before host code names it has two names in the module: the
; name of the use, which nothing defines, and the name of the definition, which ends with a hash.
; They are one variable.
target triple = "x86_64-pc-linux-gnu"

; CHECK: @_ZL1x__static__abc = externally_initialized global i32 0
; CHECK-NOT: @_ZL1x = external
@_ZL1x = external global i32
@_ZL1x__static__abc = externally_initialized global i32 0

; CHECK: load i32, ptr @_ZL1x__static__abc
define i32 @use() {
  %x = load i32, ptr @_ZL1x
  ret i32 %x
}
