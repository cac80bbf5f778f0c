; RUN: cdpcc-opt --passes=print %s | FileCheck %s
; The call passes the number of arguments to the runtime. The attributes of the call do not change.
target triple = "x86_64-pc-linux-gnu"

@format = private constant [6 x i8] c"%d %s\00"

; CHECK-LABEL: @two
; CHECK: call i32 (i32, ptr, ...) @__cdp_printf(i32 2, ptr nonnull @format, i32 %x, ptr byval(i64) %s)
define i32 @two(i32 %x, ptr %s) {
  %n = call i32 (ptr, ...) @printf(ptr nonnull @format, i32 %x, ptr byval(i64) %s)
  ret i32 %n
}

; CHECK-LABEL: @none
; CHECK: call i32 (i32, ptr, ...) @__cdp_printf(i32 0, ptr @format)
define i32 @none() {
  %n = call i32 (ptr, ...) @printf(ptr @format)
  ret i32 %n
}

; Through a pointer the function is called with C's signature, without the number.
; CHECK-LABEL: @by_address
; CHECK: ret ptr @printf
define ptr @by_address() {
  ret ptr @printf
}

declare i32 @printf(ptr, ...)
