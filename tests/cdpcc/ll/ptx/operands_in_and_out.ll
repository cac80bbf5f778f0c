; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; "+r" is an output that starts with the value of the input that is tied to it.
target triple = "x86_64-pc-linux-gnu"

define i32 @add_to(i32 %a, i32 %b) {
  %x = call i32 asm "add.u32 $0, $0, $1;", "=r,r,0"(i32 %b, i32 %a)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx(i32 %0, i32 %1)
; CHECK: [[OUT:%.*]] = alloca i32
; CHECK: store i32 %1, ptr [[OUT]]
; CHECK: [[A:%.*]] = load i32, ptr [[OUT]]
; CHECK: add i32 [[A]],
