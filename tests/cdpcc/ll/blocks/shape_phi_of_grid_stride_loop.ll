; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; for (i = thread; i < n; i += threads of the grid): i stays affine, because all lanes add the same
; number.

; CHECK: affine 1: %i = phi
; CHECK: affine 1: %next = add
; CHECK: varying: %more = icmp
define void @cdp.thread.stride(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %s = call i32 @size.x()
  %blocks = call i32 @grid.x()
  %all = mul i32 %s, %blocks
  br label %loop
loop:
  %i = phi i32 [ %g, %0 ], [ %next, %loop ]
  call void @use(i32 %i)
  %next = add i32 %i, %all
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
