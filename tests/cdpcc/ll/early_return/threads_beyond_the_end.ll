; RUN: cdpcc-opt --passes=early-return %s | FileCheck %s
; A thread whose index exceeds a limit stores 3 to its context before it returns, because all threads after
; it return, too. With two conditions, only one of which is a limit, it stores 3 or 0. Nothing is stored where the
; index does not decide, where it may wrap around, or where something happens before.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@cdp_abi_self = external thread_local(initialexec) global ptr, align 8

; CHECK-LABEL: @cdp.thread.one_limit
; CHECK: br i1 %inside, label %work, label %[[LAST:.*]]
; CHECK: [[LAST]]:
; CHECK-NEXT: getelementptr i8, ptr %self, i64 28
; CHECK-NEXT: store i32 3
; CHECK-NEXT: ret void
define void @cdp.thread.one_limit(ptr %params) {
  %n = load i32, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %b = load i32, ptr %block, align 4, !invariant.load !{}
  %size.at = getelementptr inbounds nuw i8, ptr %block, i64 16
  %size = load i32, ptr %size.at, align 4, !invariant.load !{}
  %first = mul i32 %b, %size
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  %i = add i32 %first, %t
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %end
work:
  store i32 7, ptr %params, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.limit_and_flag
; CHECK: %[[FROZEN:.*]] = freeze i1 %inside
; CHECK-NEXT: %[[BEYOND:.*]] = xor i1 %[[FROZEN]], true
; CHECK-NEXT: %[[VALUE:.*]] = select i1 %[[BEYOND]], i32 3, i32 0
; CHECK: store i32 %[[VALUE]]
define void @cdp.thread.limit_and_flag(ptr %params) {
  %n = load i32, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %b = load i32, ptr %block, align 4, !invariant.load !{}
  %size.at = getelementptr inbounds nuw i8, ptr %block, i64 16
  %size = load i32, ptr %size.at, align 4, !invariant.load !{}
  %first = mul i32 %b, %size
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  %i = add i32 %first, %t
  %inside = icmp slt i32 %i, %n
  %at = getelementptr i32, ptr %params, i32 %i
  %flag = load i32, ptr %at, align 4
  %wanted = icmp ne i32 %flag, 0
  %both = select i1 %inside, i1 %wanted, i1 false
  br i1 %both, label %work, label %middle
work:
  store i32 7, ptr %params, align 4
  br label %end
middle:
  br label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.no_limit
; CHECK-NOT: store i32 3
define void @cdp.thread.no_limit(ptr %params) {
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %b = load i32, ptr %block, align 4, !invariant.load !{}
  %size.at = getelementptr inbounds nuw i8, ptr %block, i64 16
  %size = load i32, ptr %size.at, align 4, !invariant.load !{}
  %first = mul i32 %b, %size
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  %i = add i32 %first, %t
  %at = getelementptr i32, ptr %params, i32 %i
  %flag = load i32, ptr %at, align 4
  %wanted = icmp slt i32 %flag, %t
  br i1 %wanted, label %work, label %end
work:
  store i32 7, ptr %params, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.may_wrap
; CHECK-NOT: store i32 3
define void @cdp.thread.may_wrap(ptr %params) {
  %n = load i32, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %b = load i32, ptr %block, align 4, !invariant.load !{}
  %size.at = getelementptr inbounds nuw i8, ptr %block, i64 16
  %size = load i32, ptr %size.at, align 4, !invariant.load !{}
  %first = mul i32 %b, %size
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  %i = add i32 %first, %t
  %moved = add i32 %i, %n
  %inside = icmp ult i32 %moved, 100
  br i1 %inside, label %work, label %end
work:
  store i32 7, ptr %params, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: @cdp.thread.stores_before
; CHECK-NOT: store i32 3
define void @cdp.thread.stores_before(ptr %params) {
  %n = load i32, ptr %params, align 8
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %block.at = getelementptr inbounds nuw i8, ptr %self, i64 16
  %block = load ptr, ptr %block.at, align 8, !invariant.load !{}
  %b = load i32, ptr %block, align 4, !invariant.load !{}
  %size.at = getelementptr inbounds nuw i8, ptr %block, i64 16
  %size = load i32, ptr %size.at, align 4, !invariant.load !{}
  %first = mul i32 %b, %size
  %t = load i32, ptr %self, align 8, !invariant.load !{}
  %i = add i32 %first, %t
  store i32 1, ptr %params, align 4
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %end
work:
  store i32 7, ptr %params, align 4
  br label %end
end:
  ret void
}
