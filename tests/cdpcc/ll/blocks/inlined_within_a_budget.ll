; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Functions become part of their kernels, also with loops and calls, unless the program forbids it or
; they are recursive.

; CHECK-LABEL: kernel loops
; CHECK-NOT: one lane after the other
; CHECK-LABEL: kernel forbids
; CHECK: call of forbidden: vectorized
define i32 @steps(i32 %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %n = phi i32 [ 0, %entry ], [ %more, %loop ]
  %half = call i32 @half(i32 %i)
  %next = add i32 %half, -1
  %more = add i32 %n, 1
  %goes = icmp sgt i32 %next, 0
  br i1 %goes, label %loop, label %end
end:
  ret i32 %more
}
define i32 @half(i32 %x) {
  %y = udiv i32 %x, 3
  ret i32 %y
}
define i32 @forbidden(i32 %x) noinline {
  %y = udiv i32 %x, 3
  ret i32 %y
}
define void @cdp.thread.loops(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @steps(i32 %g)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
define void @cdp.thread.forbids(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @forbidden(i32 %g)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
