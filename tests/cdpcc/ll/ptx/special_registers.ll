; RUN: cdpcc-opt --passes=ptx,builtin %s | FileCheck %s
; Special registers become the getters of threadIdx and similar objects, which builtin converts to
; loads. Masks of lanes are computed.
target triple = "x86_64-pc-linux-gnu"

define i32 @index() {
  %x = call i32 asm "mov.u32 $0, %tid.x;", "=r"()
  ret i32 %x
}

define i32 @below() {
  %x = call i32 asm "mov.u32 $0, %lanemask_lt;", "=r"()
  ret i32 %x
}

define i32 @size() {
  %x = call i32 asm "mov.u32 $0, WARP_SZ;", "=r"()
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx()
; CHECK: [[X:%.*]] = load i32, ptr {{.*}} !range
; CHECK-NEXT: store i32 [[X]]

; CHECK: define internal i32 @cdp.ptx.1()
; CHECK: [[LANE:%.*]] = urem i32 {{.*}}, 32
; CHECK: [[FROM:%.*]] = shl i32 -1, [[LANE]]
; CHECK: [[BELOW:%.*]] = xor i32 [[FROM]], -1
; CHECK: store i32 [[BELOW]]

; CHECK: define internal i32 @cdp.ptx.2()
; CHECK: store i32 32
