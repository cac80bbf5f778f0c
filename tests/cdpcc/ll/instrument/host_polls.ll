; RUN: cdpcc-opt --passes=host-calls --check=race %s | FileCheck %s
; RUN: cdpcc-opt --passes=host-calls --check=memory %s | FileCheck %s --check-prefix=WITHOUT
; With the race check, volatile and atomic loads of memory that others may write are announced.
target triple = "x86_64-pc-linux-gnu"

; WITHOUT-NOT: cdp_abi_host_polls
; CHECK-LABEL: define void @loads
; CHECK: call void @cdp_abi_host_polls(ptr %p)
; CHECK-NEXT: load volatile i32, ptr %p
; CHECK-NEXT: call void @cdp_abi_host_polls(ptr %p)
; CHECK-NEXT: load atomic i32, ptr %p
; CHECK-NEXT: load i32, ptr %p
; CHECK-NEXT: load volatile i32, ptr %local
define void @loads(ptr %p) {
  %local = alloca i32
  %a = load volatile i32, ptr %p
  %b = load atomic i32, ptr %p acquire, align 4
  %c = load i32, ptr %p
  %d = load volatile i32, ptr %local
  ret void
}
