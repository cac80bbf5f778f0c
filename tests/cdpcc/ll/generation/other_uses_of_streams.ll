; RUN: cdpcc-opt --passes=generation %s 2>&1 | FileCheck %s
; The streams of the second generation are small numbers converted to pointers. A stream that is
; only compared does not count, and another number is no such stream.
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: warning:
define i1 @waits(ptr %s) {
  %a = call i32 @cudaDeviceSynchronize()
  %b = call i32 @launch(ptr inttoptr (i64 5 to ptr))
  %c = icmp eq ptr %s, inttoptr (i64 4 to ptr)
  ret i1 %c
}

declare i32 @cudaDeviceSynchronize()
declare i32 @launch(ptr)
