; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; Programs poll with a load in a volatile asm. Memory must be read each time, so the load is a
; relaxed atomic load. Loads in an asm without "volatile", and loads of read-only memory, are plain.
target triple = "x86_64-pc-linux-gnu"

define i32 @polls(i64 %p) {
  %x = call i32 asm sideeffect "ld.global.u32 $0, [$1];", "=r,l"(i64 %p)
  ret i32 %x
}

define i32 @plain(i64 %p) {
  %x = call i32 asm "ld.global.u32 $0, [$1];", "=r,l"(i64 %p)
  ret i32 %x
}

define i32 @read_only(i64 %p) {
  %x = call i32 asm sideeffect "ld.global.nc.u32 $0, [$1+8];", "=r,l"(i64 %p)
  ret i32 %x
}

; CHECK: define internal i32 @cdp.ptx(
; CHECK: load atomic i32, ptr {{.*}} monotonic, align 4, !cdp.cached

; CHECK: define internal i32 @cdp.ptx.1(
; CHECK: [[AT:%.*]] = inttoptr
; CHECK: load i32, ptr [[AT]], align 4

; CHECK: define internal i32 @cdp.ptx.2(
; CHECK: [[SUM:%.*]] = add i64 {{.*}}, 8
; CHECK: [[AT:%.*]] = inttoptr i64 [[SUM]] to ptr
; CHECK: load i32, ptr [[AT]], align 4

; A pair of words may be a value and its flag. 64 bits are one atomic access. 128 bits are words; the
; alignment of the first one tells the pass "words" that they belong together.
define i64 @small_pair(i64 %p) {
  %x = call { i32, i32 } asm sideeffect "ld.global.v2.u32 {$0, $1}, [$2];", "=r,=r,l"(i64 %p)
  %y = extractvalue { i32, i32 } %x, 1
  %z = zext i32 %y to i64
  ret i64 %z
}

define i64 @pair(i64 %p) {
  %x = call { i64, i64 } asm sideeffect "ld.global.cg.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(i64 %p)
  %y = extractvalue { i64, i64 } %x, 1
  ret i64 %y
}

define i32 @quad(i64 %p) {
  %x = call { i32, i32, i32, i32 } asm sideeffect "ld.v4.u32 {$0, $1, $2, $3}, [$4];", "=r,=r,=r,=r,l"(i64 %p)
  %y = extractvalue { i32, i32, i32, i32 } %x, 1
  ret i32 %y
}

define void @store_word(i64 %p, i32 %a) {
  call void asm sideeffect "st.cg.u32 [$0], $1;", "l,r"(i64 %p, i32 %a)
  ret void
}

define void @store_small_pair(i64 %p, i32 %a) {
  call void asm sideeffect "st.wt.v2.u32 [$0], {$1, $1};", "l,r"(i64 %p, i32 %a)
  ret void
}

define void @store_pair(i64 %p, i64 %a) {
  call void asm sideeffect "st.cg.v2.u64 [$0], {$1, $1};", "l,l"(i64 %p, i64 %a)
  ret void
}

define void @store_plain(i64 %p, i32 %a) {
  call void asm sideeffect "st.cs.u32 [$0], $1;", "l,r"(i64 %p, i32 %a)
  ret void
}

; CHECK: define internal {{.*}} @cdp.ptx.3(
; CHECK: load atomic i64, ptr {{.*}} monotonic, align 8, !cdp.cached
; CHECK: define internal {{.*}} @cdp.ptx.4(
; CHECK: load atomic i64, ptr {{.*}} monotonic, align 16, !cdp.cached
; CHECK: load atomic i64, ptr {{.*}} monotonic, align 8, !cdp.cached
; CHECK: define internal {{.*}} @cdp.ptx.5(
; CHECK: load atomic i32, ptr {{.*}} monotonic, align 16, !cdp.cached
; CHECK: load atomic i32, ptr {{.*}} monotonic, align 4, !cdp.cached
; CHECK: load atomic i32, ptr {{.*}} monotonic, align 8, !cdp.cached
; CHECK: load atomic i32, ptr {{.*}} monotonic, align 4, !cdp.cached
; CHECK: define internal {{.*}} @cdp.ptx.6(
; CHECK: store atomic i32 {{.*}} monotonic, align 4, !cdp.cached
; CHECK: define internal {{.*}} @cdp.ptx.7(
; CHECK: store atomic i64 {{.*}} monotonic, align 8, !cdp.cached
; CHECK: define internal {{.*}} @cdp.ptx.8(
; CHECK: store atomic i64 {{.*}} monotonic, align 16, !cdp.cached
; CHECK: store atomic i64 {{.*}} monotonic, align 8, !cdp.cached
; CHECK: define internal {{.*}} @cdp.ptx.9(
; CHECK: store i32 {{.*}}, align 4{{$}}
