; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; Accesses to constant addresses of shared memory cannot fault.

; CHECK: region 0: 1 nodes, 0 loops, then end{{$}}
define void @cdp.thread.shared(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  store float 1.0, ptr %s, align 4
  ret void
}
