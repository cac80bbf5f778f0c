; RUN: cat %p %s | cdpcc-opt --passes=block-entries -march=x86-64-v4 - | FileCheck %s
; Each lane's source is a constant, if it is computed from the lane's number: the shuffle moves
; elements of registers. Otherwise lanes gather from an array.

define private i32 @lane() alwaysinline {
  %self = load ptr, ptr @cdp_abi_self, align 8, !invariant.load !{}
  %at = getelementptr inbounds nuw i8, ptr %self, i64 12
  %thread = load i32, ptr %at, align 4, !range !{i32 0, i32 1024}, !invariant.load !{}
  %lane = and i32 %thread, 31
  ret i32 %lane
}

; CHECK-LABEL: define {{.*}}@cdp.one_row.down(
; CHECK-NOT: masked.gather
; CHECK: shufflevector {{.*}} <16 x i32> <i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15,
; CHECK-NOT: masked.gather
; CHECK-LABEL: define i32 @cdp.block.down(
define void @cdp.thread.down(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %wide = zext i32 %t to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  %x = load i32, ptr %at, align 4
  %lane = call i32 @lane()
  %above = add nuw nsw i32 %lane, 4
  %is = icmp ult i32 %lane, 28
  %from = select i1 %is, i32 %above, i32 %lane
  %y = call i32 @cdp_abi_shfl32(i32 -1, i32 %x, i32 %from, i32 32, i32 0, ptr null)
  store i32 %y, ptr %at, align 4
  ret void
}

; CHECK-LABEL: define {{.*}}@cdp.one_row.by_data(
; CHECK: masked.gather
define void @cdp.thread.by_data(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %wide = zext i32 %t to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  %x = load i32, ptr %at, align 4
  %lane = call i32 @lane()
  %from = xor i32 %lane, %x
  %y = call i32 @cdp_abi_shfl32(i32 -1, i32 %x, i32 %from, i32 32, i32 0, ptr null)
  store i32 %y, ptr %at, align 4
  ret void
}
