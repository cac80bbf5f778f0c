; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; Signed types have their own minimum. inc wraps at its operand. A compare-and-swap is always
; ordered. red ignores the old value.
target triple = "x86_64-pc-linux-gnu"

define i32 @atomics(i64 %p, i32 %v, float %f) {
  %a = call i32 asm "atom.global.min.s32 $0, [$1], $2;", "=r,l,r"(i64 %p, i32 %v)
  %b = call i32 asm "atom.global.min.u32 $0, [$1], $2;", "=r,l,r"(i64 %p, i32 %v)
  %c = call i32 asm "atom.acq_rel.gpu.inc.u32 $0, [$1], $2;", "=r,l,r"(i64 %p, i32 %v)
  call void asm "red.global.add.f32 [$0], $1;", "l,f"(i64 %p, float %f)
  %d = call i32 asm "atom.global.cas.b32 $0, [$1], $2, 7;", "=r,l,r"(i64 %p, i32 %v)
  ret i32 %a
}

; CHECK: define internal i32 @cdp.ptx(
; CHECK: atomicrmw min ptr {{.*}} monotonic
; CHECK: define internal i32 @cdp.ptx.1(
; CHECK: atomicrmw umin ptr {{.*}} monotonic
; CHECK: define internal i32 @cdp.ptx.2(
; CHECK: atomicrmw uinc_wrap ptr {{.*}} acq_rel
; CHECK: define internal void @cdp.ptx.3(
; CHECK: atomicrmw fadd ptr {{.*}}, float {{.*}} monotonic
; CHECK: define internal i32 @cdp.ptx.4(
; CHECK: [[PAIR:%.*]] = cmpxchg ptr {{.*}}, i32 {{.*}}, i32 7 seq_cst seq_cst
; CHECK: extractvalue { i32, i1 } [[PAIR]], 0
