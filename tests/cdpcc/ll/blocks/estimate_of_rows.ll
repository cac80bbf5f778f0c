; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A thread's access costs more if it leaves a line that neighbouring threads share: in[row * n + i]
; with a row from memory. If each thread has a row of its own, no two lanes share a line.

; CHECK: kernel own: plan for blocks of one row: {{.*}} by thread entries 113.0
; CHECK: load of 4 bytes: gather
define void @cdp.thread.own(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %row = add nsw i32 %i, %k
  %start = mul nsw i32 %row, %n
  %index = add nsw i32 %start, %i
  %x = call float @get(ptr %in, i32 %index)
  %y = fmul float %x, %x
  call void @set(ptr %in, i32 %index, float %y)
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK: kernel shared: plan for blocks of one row: {{.*}} by thread entries 163.0
define void @cdp.thread.shared(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %first = call float @get(ptr %out, i32 %i)
  %bits = bitcast float %first to i32
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %row = add nsw i32 %bits, %k
  %start = mul nsw i32 %row, %n
  %index = add nsw i32 %start, %i
  %x = call float @get(ptr %in, i32 %index)
  %y = fmul float %x, %x
  call void @set(ptr %in, i32 %index, float %y)
  %next = add nuw nsw i32 %k, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
