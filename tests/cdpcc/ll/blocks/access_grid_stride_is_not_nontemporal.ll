; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The size of the grid does not determine how much such a loop writes.

; CHECK: store of 4 bytes: contiguous{{$}}
; CHECK-NOT: nontemporal
define void @cdp.thread.fill(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %s = call i32 @size.x()
  %blocks = call i32 @grid.x()
  %threads = mul i32 %s, %blocks
  br label %loop
loop:
  %i = phi i32 [ %g, %0 ], [ %next, %loop ]
  call void @set(ptr %out, i32 %i, float 1.0)
  %next = add nuw nsw i32 %i, %threads
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
