; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; After a store a chunk cannot restart, because it would store twice. So no edge is left out.

; CHECK: region 0: 3 nodes
; CHECK-NOT: edges left out
define void @cdp.thread.guard(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %out, i32 %g, float 1.0)
  %c = icmp slt i32 %g, %n
  br i1 %c, label %work, label %end
work:
  %x = call float @get(ptr %in, i32 %g)
  %y = fmul float %x, %x
  call void @set(ptr %in, i32 %g, float %y)
  br label %end
end:
  ret void
}
