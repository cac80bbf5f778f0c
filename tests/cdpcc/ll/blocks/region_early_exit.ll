; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Only the first threads have work after the barrier. So the chunk loop exits after them.

; CHECK: region 0
; CHECK-NEXT: path: split, 4 vectors, 1 masked{{$}}
; CHECK: region 1
; CHECK-NEXT: path: split, {{.*}}, early exit
define void @cdp.thread.first(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %g = call i32 @global.x()
  call void @set(ptr %out, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %work, label %end
work:
  %x = call float @get(ptr %out, i32 %t)
  %y = fmul float %x, %x
  call void @set(ptr %out, i32 %t, float %y)
  br label %end
end:
  ret void
}
