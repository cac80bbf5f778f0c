; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; s[threadIdx.x ^ distance] is a permuted contiguous access, for loads and stores.

; CHECK: load of 4 bytes: permuted contiguous if its first index is a multiple of the lanes
; CHECK: store of 4 bytes: permuted contiguous if its first index is a multiple of the lanes
define void @cdp.thread.butterfly(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %other = xor i32 %t, %n
  %x = call float @get(ptr %in, i32 %other)
  call void @set(ptr %out, i32 %other, float %x)
  ret void
}
