; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A branch by loaded data would make most chunks restart. So both of its edges stay in the all-active
; version, and only the code of its sides is masked. The edge of a guard on indices is left out as usual.

; CHECK-LABEL: regions of by_data:
; CHECK: region 0: 3 nodes
; CHECK-NOT: edges left out
define void @cdp.thread.by_data(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %g)
  %c = fcmp olt float %x, 1.0
  br i1 %c, label %work, label %end
work:
  %y = fmul float %x, %x
  call void @set(ptr %in, i32 %g, float %y)
  %z = fadd float %y, %x
  %o = call ptr @out(ptr %params)
  call void @set(ptr %o, i32 %g, float %z)
  br label %end
end:
  ret void
}

; CHECK-LABEL: regions of by_both:
; CHECK: path: split, {{.*}}, edges left out
define void @cdp.thread.by_both(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %first = icmp slt i32 %g, %n
  br i1 %first, label %guarded, label %end
guarded:
  %x = call float @get(ptr %in, i32 %g)
  %c = fcmp olt float %x, 1.0
  br i1 %c, label %work, label %end
work:
  %y = fmul float %x, %x
  call void @set(ptr %in, i32 %g, float %y)
  br label %end
end:
  ret void
}
