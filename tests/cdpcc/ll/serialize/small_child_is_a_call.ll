; RUN: cdpcc-opt --passes=serialize %s | FileCheck %s
; A launch of a small child becomes a test and a call. The call runs the threads of the child one after
; the other until one exceeds the limit, as all after it do. What the launch needs is computed before the test.
; The child is launched after all if the call finds the stream in use.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@cdp_abi_self = external thread_local(initialexec) global ptr, align 8
@child.cdpk = external global i64
declare ptr @cdp_abi_cudaGetParameterBuffer(i64, i64)
declare i32 @cdp_abi_cudaLaunchDevice(ptr, ptr, i64, i32, i64, i32, i32, ptr)

; CHECK: @[[LAUNCH:cdp.serial_launch]] = private constant { ptr, ptr } { ptr @child.cdpk, ptr @{{.*}} }

; CHECK-LABEL: define void @cdp.thread.child

define void @cdp.thread.child(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %n.at = getelementptr inbounds i8, ptr %params, i64 8
  %n = load i32, ptr %n.at, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %b = load i32, ptr %block, align 4, !invariant.load !{}
  %size.at = getelementptr inbounds nuw i8, ptr %block, i64 16
  %size = load i32, ptr %size.at, align 4, !invariant.load !{}
  %first = mul i32 %b, %size
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  %i = add i32 %first, %t
  %inside = icmp ult i32 %i, %n
  br i1 %inside, label %work, label %end
work:
  %at = getelementptr i32, ptr %p, i32 %i
  store i32 7, ptr %at, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: define void @cdp.thread.parent
; CHECK: %[[LOADED:.*]] = load i32, ptr %n
; CHECK: %[[COUNT:.*]] = freeze i32 %[[LOADED]]
; CHECK: %serial_children = load i32
; CHECK: icmp ne i32 %serial_children, 0
; CHECK: br i1 %{{.*}}, label %serial, label %launch2
; CHECK: serial:
; CHECK-NEXT: %[[RAN:.*]] = call i32 @cdp.serial.child(ptr poison, ptr %p, i32 %[[COUNT]], i32 %{{.*}}, i32 32, ptr nonnull @[[LAUNCH]])
; CHECK-NEXT: %[[NOT:.*]] = icmp eq i32 %[[RAN]], 0
; CHECK-NEXT: br i1 %[[NOT]], label %launch2, label %launched
; CHECK: launch2:
; CHECK-NEXT: call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 12)
; CHECK: %result = call i32 @cdp_abi_cudaLaunchDevice
; CHECK: launched:
; CHECK-NEXT: phi i32 [ %result, %{{.*}} ], [ 0, %serial ]
define void @cdp.thread.parent(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %n.at = getelementptr inbounds i8, ptr %params, i64 8
  %n = load ptr, ptr %n.at, align 8
  %out.at = getelementptr inbounds i8, ptr %params, i64 16
  %out = load ptr, ptr %out.at, align 8
  %buffer = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 12)
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %end, label %launch
launch:
  %count = load i32, ptr %n, align 4
  store ptr %p, ptr %buffer, align 8
  %second = getelementptr inbounds i8, ptr %buffer, i64 8
  store i32 %count, ptr %second, align 8
  %more = add i32 %count, 31
  %blocks = lshr i32 %more, 5
  %wide = zext i32 %blocks to i64
  %grid = or disjoint i64 %wide, 4294967296
  %result = call i32 @cdp_abi_cudaLaunchDevice(ptr @child.cdpk, ptr %buffer, i64 %grid, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  store i32 %result, ptr %out, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: define internal i32 @cdp.serial.child(ptr %0, ptr %1, i32 %2, i32 %3, i32 %4, ptr %5)
; CHECK: store volatile ptr %5
; CHECK: %allowed = load volatile i32
; CHECK: %[[IDLE:.*]] = icmp ne i32 %allowed, 0
; CHECK: br i1 %[[IDLE]], label %start, label %refused
; CHECK: thread:
; CHECK: %i = phi i32 [ 0, %start ], [ %[[NEXT:.*]], %next ]
; CHECK: store volatile i32 %i
; CHECK: icmp ult i32 %i, %2
; CHECK: next:
; CHECK: %[[NEXT]] = add nuw i32 %i, 1
; CHECK: icmp eq i32 %[[NEXT]], %3
; CHECK: store volatile ptr null
; CHECK: ret i32 1
; CHECK: refused:
; CHECK: store volatile ptr null
; CHECK: ret i32 0
