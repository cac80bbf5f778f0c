; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The stack of a block entry has the local memory of all threads, so its size must be known.

; CHECK: refused: it has local memory of variable size
define void @cdp.thread.alloca(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %array = alloca float, i32 %n, align 4
  call void @use.ptr(ptr %array)
  ret void
}
