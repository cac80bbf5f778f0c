; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; in[x == last ? x : x + 1] is a select of two contiguous accesses.

; CHECK: load of 4 bytes: select of two contiguous if neither index wraps around
define void @cdp.thread.border(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %last = icmp eq i32 %g, %n
  %next = add nsw i32 %g, 1
  %i = select i1 %last, i32 %g, i32 %next
  %x = call float @get(ptr %in, i32 %i)
  call void @set(ptr %out, i32 %g, float %x)
  ret void
}
