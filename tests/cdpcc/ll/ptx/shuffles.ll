; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; The clamp and the segment of shfl are computed by its definition, and the runtime gets one lane of
; all 32. A lane whose source is outside its segment reads itself, and the predicate is false.
target triple = "x86_64-pc-linux-gnu"

define i32 @down(i32 %v) {
  %x = call i32 asm sideeffect "{.reg .pred p; shfl.sync.down.b32 $0|p, $1, 1, 0x1f, 0xffffffff;}", "=r,r"(i32 %v)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx(
; CHECK: [[LANE:%.*]] = call i32 @__cdp_laneid()
; CHECK: [[LEAST:%.*]] = and i32 [[LANE]], 0
; CHECK: [[MOST:%.*]] = or i32 [[LEAST]], 31
; CHECK: [[FROM:%.*]] = add i32 [[LANE]], 1
; CHECK: [[INSIDE:%.*]] = icmp sle i32 [[FROM]], [[MOST]]
; CHECK: [[CHOSEN:%.*]] = select i1 [[INSIDE]], i32 [[FROM]], i32 [[LANE]]
; CHECK: call i32 @__cdp_shfl32(i32 -1, i32 {{.*}}, i32 [[CHOSEN]], i32 32, i32 {{[0-9]+}}, ptr
; CHECK: store i1 [[INSIDE]]
