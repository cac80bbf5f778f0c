; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Loads of every few elements are rows and a shuffle. Stores are not: a row of them would write what
; lies between.

; CHECK: load of 4 bytes: strided: the addresses of neighbouring threads are 12 bytes apart
; CHECK: store of 4 bytes: scatter: the addresses of neighbouring threads are 8 bytes apart
define void @cdp.thread.stride(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %i = mul nsw i32 %t, 3
  %x = call float @get(ptr %in, i32 %i)
  %j = mul nsw i32 %t, 2
  call void @set(ptr %out, i32 %j, float %x)
  ret void
}
