; RUN: cdpcc-opt --passes=builtin %s | FileCheck %s
; threadIdx is an object only so that its getters have a "this". No unit defines it, and a null
; "this" would be undefined behaviour. So it becomes the address of an unused constant.
target triple = "x86_64-pc-linux-gnu"

; CHECK-NOT: @threadIdx
; CHECK: @cdp.this = private constant [16 x i8] zeroinitializer, align 16
@threadIdx = external global i8

; CHECK: call i32 @get(ptr @cdp.this)
define i32 @use() {
  %x = call i32 @get(ptr @threadIdx)
  ret i32 %x
}

declare i32 @get(ptr)
