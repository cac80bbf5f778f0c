; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; The version without masks leaves out the branch of threads that have no work. A chunk with such a
; thread restarts under masks, because it has stored nothing yet.

; CHECK: region 0: 3 nodes
; CHECK-NEXT: path: split, 4 vectors, 1 masked, edges left out, may restart
define void @cdp.thread.guard(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
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
