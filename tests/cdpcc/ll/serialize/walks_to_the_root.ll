; RUN: cdpcc-opt --passes=serialize %s | FileCheck %s
; Children whose loop follows links until an element is linked to itself are serialized, in each form that the
; optimizer gives the loop. A child that waits until an element is linked to another one is launched.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@cdp_abi_self = external thread_local(initialexec) global ptr, align 8
@phi_is_index.cdpk = external global i64
@phi_is_previous.cdpk = external global i64
@phi_is_address.cdpk = external global i64
@waits.cdpk = external global i64
@other_links.cdpk = external global i64
declare ptr @cdp_abi_cudaGetParameterBuffer(i64, i64)
declare i32 @cdp_abi_cudaLaunchDevice(ptr, ptr, i64, i32, i64, i32, i32, ptr)

; CHECK: define internal i32 @cdp.serial.phi_is_index
; CHECK: define internal i32 @cdp.serial.phi_is_previous
; CHECK: define internal i32 @cdp.serial.phi_is_address
; CHECK-NOT: @cdp.serial.waits
; CHECK-NOT: @cdp.serial.other_links

; while (atomicCAS(&up[i], i, i) != i) i = up[i];
define void @cdp.thread.phi_is_index(ptr noalias readonly align 64 %params) {
  %up = load ptr, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  br label %again
again:
  %i = phi i32 [ %t, %0 ], [ %next, %more ]
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %up, i64 %wide
  %swap = cmpxchg ptr %at, i32 %i, i32 %i monotonic monotonic
  %found = extractvalue { i32, i1 } %swap, 0
  %is.root = icmp eq i32 %found, %i
  br i1 %is.root, label %end, label %more
more:
  %next = load i32, ptr %at, align 4
  br label %again
end:
  store i32 %i, ptr %up, align 4
  ret void
}
; The same, with atomicAdd(&up[i], 0); the phi is the element before.
define void @cdp.thread.phi_is_previous(ptr noalias readonly align 64 %params) {
  %up = load ptr, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  br label %again
again:
  %before = phi i32 [ %t, %0 ], [ %i, %again ]
  %wide.before = zext i32 %before to i64
  %link = getelementptr i32, ptr %up, i64 %wide.before
  %i = load i32, ptr %link, align 4
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %up, i64 %wide
  %found = atomicrmw add ptr %at, i32 0 monotonic
  %goes.on = icmp ne i32 %i, %found
  br i1 %goes.on, label %again, label %end
end:
  store i32 %i, ptr %up, align 4
  ret void
}
; The phi is the address of the link.
define void @cdp.thread.phi_is_address(ptr noalias readonly align 64 %params) {
  %up = load ptr, ptr %params, align 8
  br label %again
again:
  %link = phi ptr [ %up, %0 ], [ %at, %again ]
  %i = load i32, ptr %link, align 4
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %up, i64 %wide
  %swap = cmpxchg ptr %at, i32 %i, i32 %i monotonic monotonic
  %is.root = extractvalue { i32, i1 } %swap, 1
  br i1 %is.root, label %end, label %again
end:
  store i32 %i, ptr %up, align 4
  ret void
}
; while (atomicCAS(&up[i], i, i) == i) { }
define void @cdp.thread.waits(ptr noalias readonly align 64 %params) {
  %up = load ptr, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %i = load i32, ptr %self, align 8, !invariant.load !{}
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %up, i64 %wide
  br label %again
again:
  %swap = cmpxchg ptr %at, i32 %i, i32 %i monotonic monotonic
  %is.root = extractvalue { i32, i1 } %swap, 1
  br i1 %is.root, label %again, label %end
end:
  store i32 0, ptr %at, align 4
  ret void
}
; The next element is that of another list, so the loop may come to the same element again.
define void @cdp.thread.other_links(ptr noalias readonly align 64 %params) {
  %up = load ptr, ptr %params, align 8
  %others.at = getelementptr inbounds i8, ptr %params, i64 8
  %others = load ptr, ptr %others.at, align 8
  br label %again
again:
  %i = phi i32 [ 7, %0 ], [ %next, %more ]
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %up, i64 %wide
  %swap = cmpxchg ptr %at, i32 %i, i32 %i monotonic monotonic
  %is.root = extractvalue { i32, i1 } %swap, 1
  br i1 %is.root, label %end, label %more
more:
  %other = getelementptr i32, ptr %others, i64 %wide
  %next = load i32, ptr %other, align 4
  br label %again
end:
  store i32 %i, ptr %up, align 4
  ret void
}
define void @cdp.thread.parent(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  br label %get.0
get.0:
  %buffer.0 = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none.0 = icmp eq ptr %buffer.0, null
  br i1 %none.0, label %get.1, label %launch.0
launch.0:
  store ptr %p, ptr %buffer.0, align 8
  %second.0 = getelementptr inbounds i8, ptr %buffer.0, i64 8
  store ptr %p, ptr %second.0, align 8
  %result.0 = call i32 @cdp_abi_cudaLaunchDevice(ptr @phi_is_index.cdpk, ptr %buffer.0, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %get.1
get.1:
  %buffer.1 = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none.1 = icmp eq ptr %buffer.1, null
  br i1 %none.1, label %get.2, label %launch.1
launch.1:
  store ptr %p, ptr %buffer.1, align 8
  %second.1 = getelementptr inbounds i8, ptr %buffer.1, i64 8
  store ptr %p, ptr %second.1, align 8
  %result.1 = call i32 @cdp_abi_cudaLaunchDevice(ptr @phi_is_previous.cdpk, ptr %buffer.1, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %get.2
get.2:
  %buffer.2 = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none.2 = icmp eq ptr %buffer.2, null
  br i1 %none.2, label %get.3, label %launch.2
launch.2:
  store ptr %p, ptr %buffer.2, align 8
  %second.2 = getelementptr inbounds i8, ptr %buffer.2, i64 8
  store ptr %p, ptr %second.2, align 8
  %result.2 = call i32 @cdp_abi_cudaLaunchDevice(ptr @phi_is_address.cdpk, ptr %buffer.2, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %get.3
get.3:
  %buffer.3 = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none.3 = icmp eq ptr %buffer.3, null
  br i1 %none.3, label %get.4, label %launch.3
launch.3:
  store ptr %p, ptr %buffer.3, align 8
  %second.3 = getelementptr inbounds i8, ptr %buffer.3, i64 8
  store ptr %p, ptr %second.3, align 8
  %result.3 = call i32 @cdp_abi_cudaLaunchDevice(ptr @waits.cdpk, ptr %buffer.3, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %get.4
get.4:
  %buffer.4 = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none.4 = icmp eq ptr %buffer.4, null
  br i1 %none.4, label %end, label %launch.4
launch.4:
  store ptr %p, ptr %buffer.4, align 8
  %second.4 = getelementptr inbounds i8, ptr %buffer.4, i64 8
  store ptr %p, ptr %second.4, align 8
  %result.4 = call i32 @cdp_abi_cudaLaunchDevice(ptr @other_links.cdpk, ptr %buffer.4, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %end
end:
  ret void
}
