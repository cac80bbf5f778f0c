; RUN: cdpcc-opt --passes=serialize %s | FileCheck %s
; Parameters may be parts of a stored word, or zeros. A launch stays as it is if its buffer is launched in a loop,
; if the buffer's address is computed before the test, or if a parameter is not stored as a whole.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@cdp_abi_self = external thread_local(initialexec) global ptr, align 8
@child.cdpk = external global i64
declare ptr @cdp_abi_cudaGetParameterBuffer(i64, i64)
declare i32 @cdp_abi_cudaLaunchDevice(ptr, ptr, i64, i32, i64, i32, i32, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define void @cdp.thread.child(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %n.at = getelementptr inbounds i8, ptr %params, i64 8
  %n = load i32, ptr %n.at, align 8
  %m.at = getelementptr inbounds i8, ptr %params, i64 12
  %m = load i32, ptr %m.at, align 4
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %b = load i32, ptr %block, align 4, !invariant.load !{}
  %size.at = getelementptr inbounds nuw i8, ptr %block, i64 16
  %size = load i32, ptr %size.at, align 4, !invariant.load !{}
  %first = mul i32 %b, %size
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  %i = add i32 %first, %t
  %at = getelementptr i32, ptr %p, i32 %i
  %sum = add i32 %n, %m
  store i32 %sum, ptr %at, align 4
  ret void
}

; CHECK-LABEL: @cdp.thread.word
; CHECK: call i32 @cdp.serial.child(ptr poison, ptr %p, i32 %{{.*}}, i32 %{{.*}}, i32 32, i32 32, ptr
define void @cdp.thread.word(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %w.at = getelementptr inbounds i8, ptr %params, i64 8
  %w = load i64, ptr %w.at, align 8
  %buffer = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %end, label %launch
launch:
  store ptr %p, ptr %buffer, align 8
  %second = getelementptr inbounds i8, ptr %buffer, i64 8
  store i64 %w, ptr %second, align 8
  %result = call i32 @cdp_abi_cudaLaunchDevice(ptr @child.cdpk, ptr %buffer, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.zeros
; CHECK: call i32 @cdp.serial.child(ptr poison, ptr %p, i32 0, i32 0, i32 32, i32 32, ptr
define void @cdp.thread.zeros(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %buffer = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %end, label %launch
launch:
  store ptr %p, ptr %buffer, align 8
  %second = getelementptr inbounds i8, ptr %buffer, i64 8
  call void @llvm.memset.p0.i64(ptr %second, i8 0, i64 8, i1 false)
  %result = call i32 @cdp_abi_cudaLaunchDevice(ptr @child.cdpk, ptr %buffer, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.loop
; CHECK-NOT: call i32 @cdp.serial.child
define void @cdp.thread.loop(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %buffer = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %end, label %launch
launch:
  store ptr %p, ptr %buffer, align 8
  %second = getelementptr inbounds i8, ptr %buffer, i64 8
  store i64 1, ptr %second, align 8
  %result = call i32 @cdp_abi_cudaLaunchDevice(ptr @child.cdpk, ptr %buffer, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  %again = icmp ne i32 %result, 0
  br i1 %again, label %launch, label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.address_before
; CHECK-NOT: call i32 @cdp.serial.child
define void @cdp.thread.address_before(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %buffer = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %second = getelementptr inbounds i8, ptr %buffer, i64 8
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %end, label %launch
launch:
  store ptr %p, ptr %buffer, align 8
  store i64 1, ptr %second, align 8
  %result = call i32 @cdp_abi_cudaLaunchDevice(ptr @child.cdpk, ptr %buffer, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.in_parts
; CHECK-NOT: call i32 @cdp.serial.child
define void @cdp.thread.in_parts(ptr noalias readonly align 64 %params) {
  %p = load ptr, ptr %params, align 8
  %buffer = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 16)
  %none = icmp eq ptr %buffer, null
  br i1 %none, label %end, label %launch
launch:
  store ptr %p, ptr %buffer, align 8
  %second = getelementptr inbounds i8, ptr %buffer, i64 8
  store i64 1, ptr %second, align 8
  %third = getelementptr inbounds i8, ptr %buffer, i64 10
  store i16 2, ptr %third, align 2
  %result = call i32 @cdp_abi_cudaLaunchDevice(ptr @child.cdpk, ptr %buffer, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %end
end:
  ret void
}

; The function that the launches call.
; CHECK-LABEL: define internal i32 @cdp.serial.child
