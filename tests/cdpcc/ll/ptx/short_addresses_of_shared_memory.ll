; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; Programs store addresses of shared memory in 32 bits. These are the lower half of our addresses,
; and the start of the block's shared memory gives the upper half. An address of 64 bits is
; complete.
target triple = "x86_64-pc-linux-gnu"

define i32 @short(i32 %p) {
  %x = call i32 asm "ld.shared.u32 $0, [$1];", "=r,r"(i32 %p)
  ret i32 %x
}

define i32 @long(i64 %p) {
  %x = call i32 asm "ld.shared.u32 $0, [$1];", "=r,l"(i64 %p)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx(
; CHECK: [[LOW:%.*]] = zext i32 {{.*}} to i64
; CHECK: [[BASE:%.*]] = call i64 @__cdp_shared_base()
; CHECK: [[OFFSET:%.*]] = sub i64 [[LOW]], [[BASE]]
; CHECK: [[SHORT:%.*]] = and i64 [[OFFSET]], 4294967295
; CHECK: add i64 [[BASE]], [[SHORT]]

; CHECK: define internal i32 @cdp.ptx.1(
; CHECK-NOT: @__cdp_shared_base
; CHECK: ret i32
