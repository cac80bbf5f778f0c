; RUN: cdpcc-opt --passes=instrument --check=space %s | FileCheck %s
; What the source promises of its pointers would let the optimizer drop the tests that are to come.
; Classes in memory are where the compiler put them, and the buffer of a launch is the runtime's.
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
