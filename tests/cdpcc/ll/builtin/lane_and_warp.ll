; RUN: cdpcc-opt --passes=builtin %s | FileCheck %s
; A lane's number is the number of the thread in its block, modulo 32, for blocks of any shape.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @lane
; CHECK: [[LINEAR:%.*]] = load i32
; CHECK-NEXT: urem i32 [[LINEAR]], 32
define i32 @lane() {
  %x = call i32 @__cdp_laneid()
  ret i32 %x
}

; CHECK-LABEL: @warp
; CHECK: [[LINEAR:%.*]] = load i32
; CHECK-NEXT: udiv i32 [[LINEAR]], 32
define i32 @warp() {
  %x = call i32 @__cdp_warpid()
  ret i32 %x
}

declare i32 @__cdp_laneid()
declare i32 @__cdp_warpid()
