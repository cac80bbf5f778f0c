; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The load reads another address in each iteration, so the loop does not poll. The load becomes a
; plain load of a uniform address.

; CHECK-NOT: refused
; CHECK: load of 4 bytes: uniform{{$}}
define void @cdp.thread.search(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = call ptr @element(ptr %in, i32 %k)
  %x = load atomic i32, ptr %at monotonic, align 4, !cdp.cached !{}
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp ne i32 %x, 0
  br i1 %goes.on, label %loop, label %end
end:
  store i32 %k, ptr %out, align 4
  ret void
}
