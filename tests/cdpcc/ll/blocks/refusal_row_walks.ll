; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - 2>&1 | FileCheck %s
; Each thread walks along a row of its own and stores there. One thread after the other is faster,
; unless the distance of the rows is known to suit the caches, or there is much to compute. A loop
; that stores to consecutive elements is faster as vectors. It has few of them side by side.

; CHECK: refused: in its loops each thread stores to consecutive elements
define void @cdp.thread.walks(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add nsw i32 %row, %k
  %v = call float @get(ptr %in, i32 %i)
  %more = fadd float %sum, %v
  call void @set(ptr %out, i32 %i, float %more)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; Pointers advance instead of an index.
; CHECK: refused: in its loops each thread stores to consecutive elements
define void @cdp.thread.pointers(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, %n
  %wide = sext i32 %row to i64
  %in.row = getelementptr inbounds float, ptr %in, i64 %wide
  %out.row = getelementptr inbounds float, ptr %out, i64 %wide
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %from = phi ptr [ %in.row, %0 ], [ %from.next, %loop ]
  %to = phi ptr [ %out.row, %0 ], [ %to.next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %v = load float, ptr %from, align 4
  %more = fadd float %sum, %v
  store float %more, ptr %to, align 4
  %from.next = getelementptr inbounds i8, ptr %from, i64 4
  %to.next = getelementptr inbounds i8, ptr %to, i64 4
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; CHECK: refused: in its loops each thread stores to consecutive elements
define void @cdp.thread.crowded(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, 1024
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add nsw i32 %row, %k
  %v = call float @get(ptr %in, i32 %i)
  %more = fadd float %sum, %v
  call void @set(ptr %out, i32 %i, float %more)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; CHECK: kernel suited: plan for blocks of one row: 16 lanes, 2 vectors at a time
define void @cdp.thread.suited(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, 1000
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add nsw i32 %row, %k
  %v = call float @get(ptr %in, i32 %i)
  %more = fadd float %sum, %v
  call void @set(ptr %out, i32 %i, float %more)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; CHECK: kernel heavy: plan for blocks of one row
define void @cdp.thread.heavy(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add nsw i32 %row, %k
  %v = call float @get(ptr %in, i32 %i)
  %more = fadd float %sum, %v
  %first = fdiv float %more, %v
  %second = fdiv float %first, %v
  call void @set(ptr %out, i32 %i, float %second)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; CHECK: kernel sums: plan for blocks of one row: 16 lanes, 2 vectors at a time
define void @cdp.thread.sums(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add nsw i32 %row, %k
  %v = call float @get(ptr %in, i32 %i)
  %more = fadd float %sum, %v
  call void @set(ptr %out, i32 %g, float %more)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}

; CHECK: kernel crowded_sums: plan for blocks of one row: 16 lanes, 2 vectors at a time
define void @cdp.thread.crowded_sums(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = mul nsw i32 %g, 1024
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add nsw i32 %row, %k
  %v = call float @get(ptr %in, i32 %i)
  %more = fadd float %sum, %v
  call void @set(ptr %out, i32 %g, float %more)
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
