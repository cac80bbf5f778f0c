; RUN: cdpcc-opt --passes=instrument-optimized --check=space %s | FileCheck %s
; RUN: cdpcc-opt --passes=instrument-optimized %s | FileCheck %s --check-prefix=OFF
; Pointers that the program gets from elsewhere are tested. The thread's own stack and variables
; belong to no other thread, so they are not. Without --check nothing is tested.
target triple = "x86_64-pc-linux-gnu"

@variable = global i32 0

; CHECK-LABEL: @given
; CHECK: [[FOREIGN:%.*]] = call i1 @cdp.check.foreign(ptr %p)
; CHECK: call void @cdp.guard.access(i1 {{%.*}}, ptr %p, i64 4,
; CHECK-NEXT: store i32 1, ptr %p
; OFF-NOT: cdp.{{check|guard}}
define void @given(ptr %p) {
  store i32 1, ptr %p, align 4
  ret void
}

; CHECK-LABEL: @own
; CHECK-NOT: cdp.check.foreign
; CHECK: ret void
define void @own() {
  %slot = alloca i32
  store i32 1, ptr %slot, align 4
  store i32 1, ptr @variable, align 4
  ret void
}
