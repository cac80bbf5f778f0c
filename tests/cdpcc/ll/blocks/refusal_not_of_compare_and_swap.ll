; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A loop that retries with the value that the last swap found succeeds in its second iteration if no
; other thread writes. So it does not wait for another thread.

; CHECK-NOT: refused
; CHECK: loop: divergent, masked
define void @cdp.thread.maximum(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %first = load i32, ptr %in, align 4
  br label %loop
loop:
  %expected = phi i32 [ %first, %0 ], [ %found, %loop ]
  %more = mul i32 %expected, %g
  %pair = cmpxchg ptr %in, i32 %expected, i32 %more monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %end, label %loop
end:
  ret void
}
