; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A recursive call at the end of a function becomes a loop, also if something is added to its result.
; Then the function is inlined like others.

; CHECK-LABEL: kernel adds
; CHECK: loop: divergent
; CHECK-NOT: call of
; CHECK-LABEL: kernel multiplies
; CHECK: call of
define i32 @sum(i32 %n) {
  %ends = icmp sle i32 %n, 0
  br i1 %ends, label %end, label %more
more:
  %less = udiv i32 %n, 3
  %rest = call i32 @sum(i32 %less)
  %all = add i32 %rest, %n
  br label %end
end:
  %r = phi i32 [ 0, %0 ], [ %all, %more ]
  ret i32 %r
}
define i32 @mixed(i32 %n) {
  %ends = icmp sle i32 %n, 0
  br i1 %ends, label %end, label %more
more:
  %less = udiv i32 %n, 3
  %rest = call i32 @mixed(i32 %less)
  %part = udiv i32 %rest, 7
  %all = add i32 %part, %n
  br label %end
end:
  %r = phi i32 [ 0, %0 ], [ %all, %more ]
  ret i32 %r
}
define void @cdp.thread.adds(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @sum(i32 %g)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
define void @cdp.thread.multiplies(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @mixed(i32 %g)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
