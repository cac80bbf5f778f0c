; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Some threads return before a barrier. After it each chunk has a mask of the remaining threads, and
; there is a single chunk loop.

; CHECK: regions of early: {{.*}}, threads end early
; CHECK: region 0: {{.*}}, then region 1 or end{{$}}
; CHECK: region 1: {{.*}}, then end{{$}}
; CHECK-NEXT: path: tested, 4 vectors, 4 masked
define void @cdp.thread.early(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %c = icmp slt i32 %g, %n
  br i1 %c, label %work, label %end
work:
  call void @set(ptr %out, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  call void @set(ptr %out, i32 %g, float 2.0)
  br label %end
end:
  ret void
}
