; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A slot can only keep a number or an address.

; CHECK: refused: a struct in it lives across a barrier
define void @cdp.thread.struct(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %pair = cmpxchg ptr %out, i32 0, i32 %g monotonic monotonic, align 4
  call void @cdp_abi_syncthreads()
  %old = extractvalue { i32, i1 } %pair, 0
  call void @use(i32 %old)
  ret void
}
