; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; asm volatile("" ::: "memory") is no PTX. It prevents the compiler from moving accesses.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @fence
; CHECK-NEXT: call void asm sideeffect " ", "~{memory}"()
; CHECK-NOT: cdp.ptx
define void @fence() {
  call void asm sideeffect " ", "~{memory}"()
  ret void
}
