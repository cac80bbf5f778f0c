; RUN: cdpcc-opt --passes=serialize %s | FileCheck %s
; These children are always launched: one has a barrier, one a volatile access, one polls, one asks for its
; depth, one has no definition here. In the last parent, the launch is not the only thing that happens.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@cdp_abi_self = external thread_local(initialexec) global ptr, align 8
@barrier.cdpk = external global i64
@volatile.cdpk = external global i64
@polls.cdpk = external global i64
@depth.cdpk = external global i64
@other.cdpk = external global i64
@plain.cdpk = external global i64
declare ptr @cdp_abi_cudaGetParameterBuffer(i64, i64)
declare i32 @cdp_abi_cudaLaunchDevice(ptr, ptr, i64, i32, i64, i32, i32, ptr)
declare void @cdp_abi_syncthreads() convergent

; CHECK-NOT: @cdp.serial.

define void @cdp.thread.barrier(ptr noalias readonly align 64 %params) {
  call void @cdp_abi_syncthreads()
  ret void
}
define void @cdp.thread.volatile(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  store volatile i32 1, ptr %p, align 4
  ret void
}
define void @cdp.thread.polls(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  br label %again
again:
  %old = atomicrmw add ptr %p, i32 0 monotonic
  %is = icmp eq i32 %old, 0
  br i1 %is, label %again, label %end
end:
  ret void
}
define void @cdp.thread.depth(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %at = getelementptr inbounds nuw i8, ptr %block, i64 44
  %depth = load i32, ptr %at, align 4, !invariant.load !{}
  store i32 %depth, ptr %p, align 4
  ret void
}
define void @cdp.thread.plain(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  store i32 1, ptr %p, align 4
  ret void
}
define void @cdp.thread.parent(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %a = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 8)
  %a.none = icmp eq ptr %a, null
  br i1 %a.none, label %second, label %launch.a
launch.a:
  store ptr %p, ptr %a, align 8
  %a.result = call i32 @cdp_abi_cudaLaunchDevice(ptr @barrier.cdpk, ptr %a, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %second
second:
  %b = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 8)
  %b.none = icmp eq ptr %b, null
  br i1 %b.none, label %third, label %launch.b
launch.b:
  store ptr %p, ptr %b, align 8
  %b.result = call i32 @cdp_abi_cudaLaunchDevice(ptr @volatile.cdpk, ptr %b, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %third
third:
  %c = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 8)
  %c.none = icmp eq ptr %c, null
  br i1 %c.none, label %fourth, label %launch.c
launch.c:
  store ptr %p, ptr %c, align 8
  %c.result = call i32 @cdp_abi_cudaLaunchDevice(ptr @polls.cdpk, ptr %c, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %fourth
fourth:
  %d = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 8)
  %d.none = icmp eq ptr %d, null
  br i1 %d.none, label %fifth, label %launch.d
launch.d:
  store ptr %p, ptr %d, align 8
  %d.result = call i32 @cdp_abi_cudaLaunchDevice(ptr @depth.cdpk, ptr %d, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %fifth
fifth:
  %e = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 8)
  %e.none = icmp eq ptr %e, null
  br i1 %e.none, label %sixth, label %launch.e
launch.e:
  store ptr %p, ptr %e, align 8
  %e.result = call i32 @cdp_abi_cudaLaunchDevice(ptr @other.cdpk, ptr %e, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %sixth
sixth:
  %f = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 8)
  %f.none = icmp eq ptr %f, null
  br i1 %f.none, label %end, label %launch.f
launch.f:
  store ptr %p, ptr %f, align 8
  store i32 3, ptr %p, align 4
  %f.result = call i32 @cdp_abi_cudaLaunchDevice(ptr @plain.cdpk, ptr %f, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %end
end:
  ret void
}
