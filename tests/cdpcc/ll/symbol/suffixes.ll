; RUN: cdpcc-opt --passes=symbol %s | FileCheck %s
; Device code must not conflict with host code of the same names. So its definitions get a suffix,
; and so do its references to device code of other units. The C library and the runtime keep their
; names. A COMDAT group is renamed with its symbol. Otherwise the linker would keep only the host's
; group.
target triple = "x86_64-pc-linux-gnu"

$inline_function = comdat any
; CHECK-DAG: $inline_function.cdp = comdat any

; CHECK-DAG: @variable.cdp = global i32 0
; CHECK-DAG: @elsewhere.cdp = external global i32
; CHECK-DAG: @.cdp = private constant i32 1
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

; A function that device code defines belongs to the program, even if it has a name of the C
; library.
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
