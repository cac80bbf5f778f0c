; RUN: cdpcc-opt --passes=builtin %s | FileCheck %s
; Only declarations are getters. A function of the program with such a name is called.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @caller
; CHECK-NEXT: call i32 @__cdp_laneid()
define i32 @caller() {
  %x = call i32 @__cdp_laneid()
  ret i32 %x
}

define i32 @__cdp_laneid() {
  ret i32 7
}
