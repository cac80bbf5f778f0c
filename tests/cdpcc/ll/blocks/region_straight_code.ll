; RUN: cat %p %s | \
; RUN:   env CDPCC_SIZES=256x1x1 cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; The chunks of a block of known size may become straight code: where there are no barriers, if the
; region has no loop. In any other block their number is not known.

; CHECK: regions of flat
; CHECK: path: {{.*}}, straight code if short
; CHECK: regions of flat
; CHECK-NOT: straight code
; CHECK: regions of loop
; CHECK-NOT: straight code
define void @cdp.thread.flat(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %out, i32 %g, float 1.0)
  ret void
}
define void @cdp.thread.loop(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %at = add i32 %g, %k
  call void @set(ptr %out, i32 %at, float 1.0)
  %next = add i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
