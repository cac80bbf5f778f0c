; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Loads with a small stride are contiguous loads and a shuffle. This does not work for stores:
; contiguous stores would also write the memory between the elements.

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
