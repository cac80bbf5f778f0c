; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; The runtime implements mbarrier. An arrival counts one unless it has a count. arrive_drop also
; lowers the expected count.
target triple = "x86_64-pc-linux-gnu"

define i64 @arrivals(i64 %p) {
  %a = call i64 asm sideeffect "mbarrier.arrive.shared.b64 $0, [$1];", "=l,l"(i64 %p)
  %b = call i64 asm sideeffect "mbarrier.arrive_drop.shared.b64 $0, [$1], 3;", "=l,l"(i64 %p)
  ret i64 %b
}

; CHECK: define internal i64 @cdp.ptx(
; CHECK: call i64 @__cdp_mbarrier_arrive(ptr {{.*}}, i32 1, i32 0)
; CHECK: define internal i64 @cdp.ptx.1(
; CHECK: call i64 @__cdp_mbarrier_arrive(ptr {{.*}}, i32 3, i32 3)

; Bytes that are expected, then an arrival; bytes that are complete.
define i64 @bytes(i64 %p) {
  %a = call i64 asm sideeffect "mbarrier.arrive.expect_tx.shared.b64 $0, [$1], 64;", "=l,l"(i64 %p)
  call void asm sideeffect "mbarrier.complete_tx.shared::cluster.b64 [$0], 16;", "l"(i64 %p)
  ret i64 %a
}

; CHECK: define internal i64 @cdp.ptx{{.*}}(
; CHECK: call void @__cdp_mbarrier_transact(ptr [[AT:%.*]], i32 64, i32 0)
; CHECK-NEXT: call i64 @__cdp_mbarrier_arrive(ptr [[AT]], i32 1, i32 0)
; CHECK: call void @__cdp_mbarrier_transact(ptr {{.*}}, i32 16, i32 1)
