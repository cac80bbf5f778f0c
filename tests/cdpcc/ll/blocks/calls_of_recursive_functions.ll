; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A recursive function is vectorized if all threads end the recursion together, or if it computes so much
; that threads may wait for others.

; CHECK-LABEL: kernel uniform
; CHECK: call of down: vectorized
; CHECK-LABEL: kernel varying
; CHECK: call of two: one lane after the other: its vector form is estimated to take longer
; CHECK-LABEL: kernel mixed
; CHECK: call of outer: one lane after the other: it calls itself one lane after the other
; CHECK-LABEL: kernel long
; CHECK: call of long: vectorized
define void @down(i32 %n) noinline {
  %ends = icmp eq i32 %n, 0
  br i1 %ends, label %end, label %more
more:
  %less = sub i32 %n, 1
  call void @down(i32 %less)
  call void @use(i32 %n)
  br label %end
end:
  ret void
}
define void @cdp.thread.uniform(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  call void @down(i32 %n)
  ret void
}
define i32 @two(i32 %n) noinline {
  %ends = icmp slt i32 %n, 2
  br i1 %ends, label %end, label %more
more:
  %less = sub i32 %n, 1
  %a = call i32 @two(i32 %less)
  %least = sub i32 %n, 2
  %b = call i32 @two(i32 %least)
  %sum = add i32 %a, %b
  br label %end
end:
  %r = phi i32 [ %n, %0 ], [ %sum, %more ]
  ret i32 %r
}
define void @cdp.thread.varying(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @two(i32 %g)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
define i32 @outer(i32 %n, i32 %by) noinline {
  %ends = icmp slt i32 %n, 2
  br i1 %ends, label %end, label %more
more:
  %less = sub i32 %n, 1
  %a = call i32 @outer(i32 %less, i32 %n)
  %least = sub i32 %n, 2
  %b = call i32 @outer(i32 %least, i32 %less)
  %c = mul i32 %a, %by
  %sum = sub i32 %b, %c
  br label %end
end:
  %r = phi i32 [ %n, %0 ], [ %sum, %more ]
  ret i32 %r
}
define void @cdp.thread.mixed(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @outer(i32 %g, i32 %n)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
declare double @llvm.sqrt.f64(double)
define double @long(double %n) noinline {
  %a = fdiv double %n, 3.0
  %b = call double @llvm.sqrt.f64(double %a)
  %c = fdiv double %b, %n
  %d = call double @llvm.sqrt.f64(double %c)
  %e = fdiv double %a, %d
  %f = call double @llvm.sqrt.f64(double %e)
  %g = fdiv double %f, %b
  %ends = fcmp olt double %n, 2.0
  br i1 %ends, label %end, label %more
more:
  %h = fsub double %n, 1.0
  %i = call double @long(double %h)
  %j = fmul double %i, %g
  br label %end
end:
  %r = phi double [ %g, %0 ], [ %j, %more ]
  ret double %r
}
define void @cdp.thread.long(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %n = sitofp i32 %g to double
  %x = call double @long(double %n)
  %value = fptrunc double %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
