; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; One address for all threads is one scalar access for the chunk.

; CHECK: load of 4 bytes: uniform{{$}}
; CHECK: store of 4 bytes: uniform{{$}}
define void @cdp.thread.uniform(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = load float, ptr %in, align 4
  store float %x, ptr %out, align 4
  ret void
}
