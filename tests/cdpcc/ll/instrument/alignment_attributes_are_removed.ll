; RUN: cdpcc-opt --passes=instrument --check=space %s | FileCheck %s
; Attributes of the source's pointers would let the optimizer remove the tests, so they are removed.
; Classes in memory keep theirs, because the compiler has placed them, and so does the launch's
; buffer.
target triple = "x86_64-pc-linux-gnu"

%class = type { i64, i64 }
; CHECK: define void @given(ptr %p, ptr byval(%class) align 16 %q)
define void @given(ptr align 16 %p, ptr byval(%class) align 16 %q) {
  ret void
}

; CHECK: define void @cdp.thread.k(ptr align 64 %p)
define void @cdp.thread.k(ptr align 64 %p) {
  ret void
}
