; RUN: cdpcc-opt --passes=symbol %s | FileCheck %s
; Device code must not meet the host's code of the same names: what it defines gets a suffix, and so
; does what it takes from other units' device code. The C library and the runtime keep theirs. A group
; is renamed with its symbol, or the host's group would win in the linker.
target triple = "x86_64-pc-linux-gnu"

$inline_function = comdat any
; CHECK-DAG: $inline_function.cdp = comdat any

; CHECK-DAG: @variable.cdp = global i32 0
; CHECK-DAG: @elsewhere.cdp = external global i32
; CHECK-DAG: @0 = private constant i32 1
; CHECK-DAG: @alias.cdp = alias void (), ptr @inline_function.cdp
@variable = global i32 0
@elsewhere = external global i32
@0 = private constant i32 1
@alias = alias void (), ptr @inline_function

; CHECK-DAG: define linkonce_odr void @inline_function.cdp() comdat
define linkonce_odr void @inline_function() comdat {
  call void @other_unit()
  %a = call i64 @strlen(ptr @0)
  %b = call float @hypotf(float 0.0, float 0.0)
  %c = call double @lgamma_r(double 0.0, ptr @variable)
  %x = load i32, ptr @elsewhere
  ret void
}

; A function of the C library that device code defines is its own.
; CHECK-DAG: define i32 @memcmp.cdp(
define i32 @memcmp(ptr %a, ptr %b, i64 %n) {
  ret i32 0
}

; CHECK-DAG: declare void @other_unit.cdp()
; CHECK-DAG: declare i64 @strlen(ptr)
; CHECK-DAG: declare float @hypotf(float, float)
; CHECK-DAG: declare double @lgamma_r(double, ptr)
declare void @other_unit()
declare i64 @strlen(ptr)
declare float @hypotf(float, float)
declare double @lgamma_r(double, ptr)
