; RUN: not cdpcc-opt --passes=ptx %s 2>&1 | FileCheck %s --implicit-check-not=error:
; The error for an undeclared name contains the name. A name is not visible after the end of its
; scope.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: inline PTX 'mov.u32 %0, %nothing': '%nothing' is not declared
define i32 @unknown() {
  %x = call i32 asm "mov.u32 $0, %nothing;", "=r"()
  ret i32 %x
}

; CHECK: error: inline PTX 'mov.u32 %0, t': 't' is not declared
define i32 @behind_its_scope() {
  %x = call i32 asm "{.reg .u32 t; mov.u32 t, 1;}\0A mov.u32 $0, t;", "=r"()
  ret i32 %x
}
