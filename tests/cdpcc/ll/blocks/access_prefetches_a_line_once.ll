; RUN: cat %p %s | env CDPCC_SIZES=256x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The second load reads the same cache line as the first one, so one prefetch serves both. The load
; that is a page away needs another prefetch.

; CHECK: plan for blocks of 256x1x1
; CHECK: load of 4 bytes: contiguous, prefetched for later blocks (2 times)
; CHECK-NEXT: load of 4 bytes: contiguous{{$}}
define void @cdp.thread.pair(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %g)
  %x = load float, ptr %at, align 4
  %near = getelementptr i8, ptr %at, i64 8
  %y = load i32, ptr %near, align 4
  %far = getelementptr i8, ptr %at, i64 4096
  %z = load float, ptr %far, align 4
  call void @use.float(float %x)
  call void @use(i32 %y)
  call void @use.float(float %z)
  ret void
}
