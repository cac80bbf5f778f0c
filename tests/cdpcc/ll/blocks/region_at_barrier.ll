; RUN: cat %p %s | cdpcc-opt --print=regions -march=x86-64-v4 - | FileCheck %s
; A barrier cuts the kernel into two regions, each with its own chunk loop. One call of the entry
; then runs one block, and no chunk may restart.

; CHECK: regions of barrier: 0 values across barriers
; CHECK-NOT: several blocks a call
; CHECK: region 0: 1 nodes{{.*}}, then region 1{{$}}
; CHECK-NEXT: path: split, 4 vectors, 1 masked{{$}}
; CHECK-NEXT: region 1: 1 nodes{{.*}}, then end{{$}}
; CHECK-NEXT: path: split, 4 vectors, 1 masked{{$}}
define void @cdp.thread.barrier(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %in, i32 %g, float 1.0)
  call void @cdp_abi_syncthreads()
  call void @set(ptr %out, i32 %g, float 2.0)
  ret void
}
