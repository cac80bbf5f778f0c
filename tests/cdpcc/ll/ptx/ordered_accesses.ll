; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; Accesses that PTX calls relaxed or volatile are neither torn nor removed. acquire and release
; order the accesses around them. A vector of such words is one volatile access.
target triple = "x86_64-pc-linux-gnu"

define i32 @accesses(i64 %p, i32 %v) {
  %a = call i32 asm "ld.acquire.gpu.global.u32 $0, [$1];", "=r,l"(i64 %p)
  call void asm "st.release.gpu.global.u32 [$0], $1;", "l,r"(i64 %p, i32 %v)
  call void asm "st.volatile.global.u32 [$0], $1;", "l,r"(i64 %p, i32 %v)
  %b = call { i32, i32 } asm "ld.volatile.global.v2.u32 {$0, $1}, [$2];", "=r,=r,l"(i64 %p)
  call void asm "st.global.u32 [$0], $1;", "l,r"(i64 %p, i32 %v)
  ret i32 %a
}

; CHECK: define internal i32 @cdp.ptx(
; CHECK: load atomic volatile i32, ptr {{.*}} acquire, align 4
; CHECK: define internal void @cdp.ptx.1(
; CHECK: store atomic volatile i32 {{.*}} release, align 4
; CHECK: define internal void @cdp.ptx.2(
; CHECK: store atomic volatile i32 {{.*}} monotonic, align 4
; CHECK: define internal { i32, i32 } @cdp.ptx.3(
; CHECK: load volatile <2 x i32>, ptr {{.*}}, align 8
; CHECK: define internal void @cdp.ptx.4(
; CHECK: [[AT:%.*]] = inttoptr
; CHECK: store i32 {{%.*}}, ptr [[AT]], align 4
