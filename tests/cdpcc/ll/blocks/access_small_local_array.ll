; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Loops whose counters are the indices of a small array are unrolled, so its elements are values. Threads
; may leave such a loop early. An index that is loaded keeps an array of more than eight elements in
; memory, and the loop. The copies of the threads are interleaved then, so the loop's uniform index is a
; contiguous access. An array of four elements becomes values, whose indices are compared with constants.
; So do variables if a phi chooses between their addresses.

; CHECK: kernel counted: plan for
; CHECK-NOT: loop: uniform
; CHECK-NOT: scatter
; CHECK: load of 4 bytes: contiguous
; CHECK-NOT: gather
; CHECK: store of 4 bytes: contiguous
; CHECK: kernel left: plan for
; CHECK-NOT: loop:
; CHECK: load of 4 bytes: contiguous
; CHECK-NOT: gather
; CHECK: store of 4 bytes: contiguous
; CHECK: kernel chosen: plan for
; CHECK: loop: uniform
; CHECK: store of 4 bytes: contiguous
; CHECK: load of 4 bytes: gather
; CHECK: kernel compared: plan for
; CHECK-NOT: loop:
; CHECK: load of 4 bytes: contiguous
; CHECK-NOT: gather
; CHECK-NOT: scatter
; CHECK: store of 4 bytes: contiguous
; CHECK: kernel referred: plan for
; CHECK-NOT: gather
; CHECK-NOT: scatter
; CHECK: store of 4 bytes: contiguous
define void @cdp.thread.counted(ptr noalias readonly align 64 %params) {
entry:
  %array = alloca [4 x float], align 16
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %v = call float @get(ptr %in, i32 %x)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %f = uitofp i64 %i to float
  %product = fmul float %v, %f
  %at = getelementptr [4 x float], ptr %array, i64 0, i64 %i
  store float %product, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %fill, label %add
add:
  %j = phi i64 [ 3, %fill ], [ %j.next, %add ]
  %sum = phi float [ 0.0, %fill ], [ %sum.next, %add ]
  %from = getelementptr [4 x float], ptr %array, i64 0, i64 %j
  %element = load float, ptr %from
  %scaled = fmul float %sum, 3.0
  %sum.next = fadd float %scaled, %element
  %j.next = add nsw i64 %j, -1
  %again = icmp ne i64 %j, 0
  br i1 %again, label %add, label %end
end:
  call void @set(ptr %out, i32 %x, float %sum.next)
  ret void
}

define void @cdp.thread.left(ptr noalias readonly align 64 %params) {
entry:
  %array = alloca [4 x float], align 16
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %n = call i32 @n(ptr %params)
  %x = call i32 @global.x()
  store float 0.0, ptr %array
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %k = phi i32 [ %x, %entry ], [ %k.next, %fill ]
  %v = call float @get(ptr %in, i32 %k)
  %index = zext i32 %i to i64
  %at = getelementptr [4 x float], ptr %array, i64 0, i64 %index
  store float %v, ptr %at
  %k.next = add nsw i32 %k, 64
  %i.next = add nuw nsw i32 %i, 1
  %inside = icmp slt i32 %k.next, %n
  %more = icmp ult i32 %i, 3
  %both = select i1 %more, i1 %inside, i1 false
  br i1 %both, label %fill, label %end
end:
  %sum = load float, ptr %array
  call void @set(ptr %out, i32 %x, float %sum)
  ret void
}

define void @cdp.thread.chosen(ptr noalias readonly align 64 %params) {
entry:
  %array = alloca [12 x float], align 16
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %v = call float @get(ptr %in, i32 %x)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %f = uitofp i64 %i to float
  %product = fmul float %v, %f
  %at = getelementptr [12 x float], ptr %array, i64 0, i64 %i
  store float %product, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 12
  br i1 %more, label %fill, label %end
end:
  %which = fptosi float %v to i32
  %low = and i32 %which, 7
  %chosen = call float @get(ptr %array, i32 %low)
  call void @set(ptr %out, i32 %x, float %chosen)
  ret void
}

define void @cdp.thread.compared(ptr noalias readonly align 64 %params) {
entry:
  %array = alloca [4 x float], align 16
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %v = call float @get(ptr %in, i32 %x)
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %i.next, %fill ]
  %f = uitofp i64 %i to float
  %product = fmul float %v, %f
  %at = getelementptr [4 x float], ptr %array, i64 0, i64 %i
  store float %product, ptr %at
  %i.next = add nuw nsw i64 %i, 1
  %more = icmp ult i64 %i.next, 4
  br i1 %more, label %fill, label %end
end:
  %which = fptosi float %v to i32
  %low = and i32 %which, 3
  %wide = zext i32 %low to i64
  %bytes = shl nuw nsw i64 %wide, 2
  %place = getelementptr i8, ptr %array, i64 %bytes
  store float 1.0, ptr %place
  %high = lshr i32 %which, 2
  %second = and i32 %high, 3
  %chosen = call float @get(ptr %array, i32 %second)
  call void @set(ptr %out, i32 %x, float %chosen)
  ret void
}

define void @cdp.thread.referred(ptr noalias readonly align 64 %params) {
entry:
  %a = alloca [2 x float], align 4
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %v = call float @get(ptr %in, i32 %x)
  %which = fptosi float %v to i32
  %bit = and i32 %which, 1
  %wide = zext i32 %bit to i64
  %at = getelementptr float, ptr %a, i64 %wide
  store float 1.0, ptr %at
  %b = alloca float, align 4
  store float 2.0, ptr %b
  %is.large = fcmp ogt float %v, 4.0
  br i1 %is.large, label %large, label %end
large:
  %is.huge = fcmp ogt float %v, 8.0
  br i1 %is.huge, label %end, label %other
other:
  store float %v, ptr %b
  br label %end
end:
  %one = phi ptr [ %a, %entry ], [ %b, %large ], [ %a, %other ]
  store float %v, ptr %one
  %first = load float, ptr %a
  %last = load float, ptr %b
  %difference = fsub float %first, %last
  call void @set(ptr %out, i32 %x, float %difference)
  ret void
}
