; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; An asm becomes a call of a function with its operands, which is inlined at once. In this function
; operands and registers are stack slots, which the optimizer replaces by values.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @sum
; CHECK-NEXT: [[X:%.*]] = call i32 @cdp.ptx(i32 %a, i32 %b)
; CHECK-NEXT: ret i32 [[X]]
define i32 @sum(i32 %a, i32 %b) {
  %x = call i32 asm "{.reg .u32 t;\0A add.u32 t, $1, $2;\0A mov.u32 $0, t;}", "=r,r,r"(i32 %a, i32 %b)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx(i32 %0, i32 %1) [[ATTRIBUTES:#[0-9]+]]
; CHECK: [[OUT:%.*]] = alloca i32
; CHECK: [[A:%.*]] = alloca i32
; CHECK: [[B:%.*]] = alloca i32
; CHECK: store i32 %0, ptr [[A]]
; CHECK: store i32 %1, ptr [[B]]
; CHECK: [[T:%.*]] = alloca i32
; CHECK: [[SUM:%.*]] = add i32
; CHECK: store i32 [[SUM]], ptr [[T]]
; CHECK: [[MOVED:%.*]] = load i32, ptr [[T]]
; CHECK: store i32 [[MOVED]], ptr [[OUT]]
; CHECK: [[RESULT:%.*]] = load i32, ptr [[OUT]]
; CHECK: ret i32 [[RESULT]]
; CHECK: attributes [[ATTRIBUTES]] = { alwaysinline convergent nounwind }
