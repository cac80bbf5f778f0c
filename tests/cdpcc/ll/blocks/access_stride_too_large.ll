; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; With a stride above four elements, most of the loaded vectors would be unused. A store whose lanes leave
; a gap is a scatter, too.

; CHECK: load of 4 bytes: gather: the addresses of neighbouring threads are 20 bytes apart
; CHECK: store of 4 bytes: scatter: the addresses of neighbouring threads are -8 bytes apart
define void @cdp.thread.stride(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %i = mul nsw i32 %t, 5
  %x = call float @get(ptr %in, i32 %i)
  %twice = shl nsw i32 %t, 1
  %j = sub nsw i32 1024, %twice
  call void @set(ptr %out, i32 %j, float %x)
  ret void
}
