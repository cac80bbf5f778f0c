; RUN: cdpcc-opt --passes=pointers %s 2>&1 | FileCheck %s
; RUN: not cdpcc-opt --passes=pointers -Werror=cdp-constant-write %s 2>&1 | FileCheck %s --check-prefix=ERROR
; A write through a pointer that certainly points to a constant. If the address is passed to a
; function, its type no longer shows this. If the pointer may point elsewhere, there is no warning.
target triple = "x86_64-pc-linux-gnu"

@table = externally_initialized constant [4 x i32] zeroinitializer
@other = externally_initialized constant i32 0
@variable = global i32 0

; CHECK: warning: device code writes to the __constant__ variable 'table' through a pointer
; CHECK-NOT: warning:
; ERROR: error: device code writes to the __constant__ variable 'table' through a pointer
define void @f(i1 %c) {
  call void @write(ptr @table)
  %p = select i1 %c, ptr @other, ptr @variable
  call void @write(ptr %p)
  ret void
}

define internal void @write(ptr %p) {
  store i32 1, ptr %p
  ret void
}
