; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Each thread gets another number from a counter. Another thread may write between two atomic loads
; of one address.

; CHECK: varying: %number = atomicrmw
; CHECK: varying: %seen = load atomic
define void @cdp.thread.draw(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %number = atomicrmw add ptr %in, i32 1 monotonic, align 4
  call void @use(i32 %number)
  %seen = load atomic i32, ptr %in seq_cst, align 4
  call void @use(i32 %seen)
  ret void
}
