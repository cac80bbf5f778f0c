; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; The first i1 is the carry. A guarded statement becomes a branch around it. "@!p" runs it if the predicate is false.
target triple = "x86_64-pc-linux-gnu"

define i32 @guarded(i32 %a) {
  %x = call i32 asm "{.reg .pred p;\0A setp.eq.u32 p, $1, 0;\0A @p mov.u32 $0, 1;\0A @!p mov.u32 $0, 2;}", "=r,r"(i32 %a)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx
; CHECK: [[OUT:%.*]] = alloca i32
; CHECK: alloca i1
; CHECK: [[P:%.*]] = alloca i1
; CHECK: [[ZERO:%.*]] = icmp eq i32 {{.*}}, 0
; CHECK: store i1 [[ZERO]], ptr [[P]]
; CHECK: [[FIRST:%.*]] = load i1, ptr [[P]]
; CHECK: br i1 [[FIRST]], label %[[YES:.*]], label %[[NO:[^ ]*]]
; CHECK: [[YES]]:
; CHECK-NEXT: store i32 1, ptr [[OUT]]
; CHECK: [[NO]]:
; CHECK: [[SECOND:%.*]] = load i1, ptr [[P]]
; CHECK: br i1 [[SECOND]], label %[[ON:.*]], label %[[UNLESS:[^ ]*]]
; CHECK: [[UNLESS]]:
; CHECK-NEXT: store i32 2, ptr [[OUT]]
; CHECK-NEXT: br label %[[ON]]
