; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Products and sums of the global thread index do not wrap around in block entries, since the
; dispatcher leaves larger grids to thread entries. So the fields of a structure are an interleave group
; without a test, also for unsigned indices, or if the product of a signed index may wrap around. With
; another number in the sum, or a factor that only small grids allow, the test remains.

; CHECK: kernel unsigned:
; CHECK: load of 4 bytes: interleave group (3 times)
define void @cdp.thread.unsigned(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = mul i32 %g, 3
  %at = zext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %at
  %x = load float, ptr %p, align 4
  %i1 = add i32 %i, 1
  %at1 = zext i32 %i1 to i64
  %p1 = getelementptr float, ptr %in, i64 %at1
  %x1 = load float, ptr %p1, align 4
  %i2 = add i32 %i, 2
  %at2 = zext i32 %i2 to i64
  %p2 = getelementptr float, ptr %in, i64 %at2
  %x2 = load float, ptr %p2, align 4
  %product = fmul float %x, %x1
  %sum = fadd float %product, %x2
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
; CHECK: kernel signed:
; CHECK: load of 4 bytes: interleave group (3 times)
define void @cdp.thread.signed(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = mul i32 %g, 3
  %before = add i32 %i, -3
  %x = call float @get(ptr %in, i32 %before)
  %between = add i32 %i, -2
  %x1 = call float @get(ptr %in, i32 %between)
  %last = add i32 %i, -1
  %x2 = call float @get(ptr %in, i32 %last)
  %product = fmul float %x, %x1
  %sum = fadd float %product, %x2
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
; CHECK: kernel unknown:
; CHECK: load of 4 bytes: strided if the index does not wrap around
define void @cdp.thread.unknown(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  %from = add i32 %g, %n
  %i = mul i32 %from, 3
  %i1 = add i32 %i, 1
  %x = call float @get(ptr %in, i32 %i1)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
; CHECK: kernel large:
; CHECK: load of 4 bytes: interleave group{{.*}} if the index does not wrap around (2 times)
define void @cdp.thread.large(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = mul i32 %g, 20
  %at = sext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %at
  %x = load float, ptr %p, align 16
  %p1 = getelementptr i8, ptr %p, i64 4
  %x1 = load float, ptr %p1, align 4
  %sum = fadd float %x, %x1
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
; Several elements of each thread: a block has a number of elements that is not its number of threads.
; CHECK: kernel several:
; CHECK: load of 4 bytes: contiguous{{$}}
; CHECK: store of 4 bytes: contiguous{{$|,}}
define void @cdp.thread.several(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %block = call i32 @block.x()
  %first = shl i32 %block, 9
  %t = call i32 @thread.x()
  %second = add nuw nsw i32 %t, 128
  %i = add nsw i32 %second, %first
  %at = zext i32 %i to i64
  %p = getelementptr float, ptr %in, i64 %at
  %x = load float, ptr %p, align 4
  %y = fmul float %x, %x
  %q = getelementptr float, ptr %out, i64 %at
  store float %y, ptr %q, align 4
  ret void
}
