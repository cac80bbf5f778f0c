; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Functions that stay calls are vectorized, unless they or what they call may fail or end a thread.

; CHECK-LABEL: kernel calls
; CHECK: region 1: {{.*}}; 2 vectors at a time, as it has calls
; CHECK: call of steps: vectorized
; CHECK: call of outer: vectorized
; CHECK-LABEL: kernel fails
; CHECK-SAME: 1 vector at a time
; CHECK: call of reports: one lane after the other: it calls cudaGetLastError
; CHECK-LABEL: kernel takes
; CHECK: call of varies: one lane after the other: it passes or returns values that vectors do not hold
; CHECK-LABEL: kernel gathers
; CHECK: call of chase: one lane after the other: its vector form is estimated to take longer
define i32 @steps(i32 %x) noinline {
entry:
  br label %loop
loop:
  %i = phi i32 [ %x, %entry ], [ %next, %loop ]
  %n = phi i32 [ 0, %entry ], [ %more, %loop ]
  %half = udiv i32 %i, 3
  %next = add i32 %half, -1
  %more = add i32 %n, 1
  %goes = icmp sgt i32 %next, 0
  br i1 %goes, label %loop, label %end
end:
  ret i32 %more
}
define i32 @outer(i32 %x, i32 %n) noinline {
  %y = call i32 @steps(i32 %x)
  %z = add i32 %y, %n
  ret i32 %z
}
declare i32 @cdp_abi_cudaGetLastError()
define i32 @inner(i32 %x) noinline {
  %y = call i32 @cdp_abi_cudaGetLastError()
  %z = add i32 %y, %x
  ret i32 %z
}
define i32 @reports(i32 %x) noinline {
  %y = call i32 @inner(i32 %x)
  ret i32 %y
}
define i32 @varies(i32 %x, ...) noinline {
  ret i32 %x
}
define i8 @chase(ptr %p) noinline {
entry:
  br label %loop
loop:
  %at = phi ptr [ %p, %entry ], [ %next, %loop ]
  %offset = load i8, ptr %at, align 1
  %next = getelementptr i8, ptr %at, i8 %offset
  %second = load i8, ptr %next, align 1
  store i8 %second, ptr %at, align 1
  %ends = icmp eq i8 %offset, 0
  br i1 %ends, label %end, label %loop
end:
  ret i8 %second
}
define void @cdp.thread.calls(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %n = call i32 @n(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @steps(i32 %g)
  %y = call i32 @outer(i32 %x, i32 %n)
  %value = sitofp i32 %y to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
define void @cdp.thread.fails(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 @reports(i32 %g)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
define void @cdp.thread.takes(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %x = call i32 (i32, ...) @varies(i32 %g, i32 %g)
  %value = sitofp i32 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
define void @cdp.thread.gathers(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %p = getelementptr i8, ptr %in, i64 %wide
  %x = call i8 @chase(ptr %p)
  %value = sitofp i8 %x to float
  call void @set(ptr %out, i32 %g, float %value)
  ret void
}
