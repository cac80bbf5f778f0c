; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64 - | FileCheck --check-prefix=BASE %s
; A loop that counts bits is an instruction, if the processor has one.

; CHECK: regions of counts
; CHECK-NEXT: region 0: {{[0-9]}} nodes, 0 loops
; BASE: regions of counts
; BASE-NEXT: region 0: {{[0-9]}} nodes, 1 loops
define void @cdp.thread.counts(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %from = call ptr @element(ptr %in, i32 %g)
  %x = load i32, ptr %from, align 4
  %none = icmp eq i32 %x, 0
  br i1 %none, label %end, label %loop
loop:
  %left = phi i32 [ %x, %0 ], [ %rest, %loop ]
  %n = phi i32 [ 0, %0 ], [ %next, %loop ]
  %less = add i32 %left, -1
  %rest = and i32 %left, %less
  %next = add i32 %n, 1
  %done = icmp eq i32 %rest, 0
  br i1 %done, label %end, label %loop
end:
  %r = phi i32 [ 0, %0 ], [ %next, %loop ]
  %to = call ptr @element(ptr %out, i32 %g)
  store i32 %r, ptr %to, align 4
  ret void
}
