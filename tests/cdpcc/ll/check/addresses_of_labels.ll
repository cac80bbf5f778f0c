; RUN: not cdpcc-opt --passes=check %s 2>&1 | FileCheck %s
; nvcc refuses computed gotos, and block entries do not support them.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: device code jumps to the address of a label
define void @jump(ptr %to) {
  indirectbr ptr %to, [label %a]
a:
  ret void
}
