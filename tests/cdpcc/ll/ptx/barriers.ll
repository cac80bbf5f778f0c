; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; Barrier 0 for all threads is __syncthreads, which block entries support. Other barriers have a
; number and a count; 0 means all threads.
target triple = "x86_64-pc-linux-gnu"

define void @barriers() {
  call void asm sideeffect "bar.sync 0;", ""()
  call void asm sideeffect "bar.sync 0, 64;", ""()
  call void asm sideeffect "barrier.sync 3;", ""()
  call void asm sideeffect "bar.arrive 3, 96;", ""()
  call void asm sideeffect "bar.warp.sync 0xff;", ""()
  ret void
}

; CHECK: define internal void @cdp.ptx()
; CHECK: call void @__syncthreads()
; CHECK: define internal void @cdp.ptx.1()
; CHECK: call void @__cdp_barrier(i32 0, i32 64)
; CHECK: define internal void @cdp.ptx.2()
; CHECK: call void @__cdp_barrier(i32 3, i32 0)
; CHECK: define internal void @cdp.ptx.3()
; CHECK: call void @__cdp_barrier_arrive(i32 3, i32 96)
; CHECK: define internal void @cdp.ptx.4()
; CHECK: call void @__cdp_syncwarp(i32 255)
