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

; A pair of words may be a value and its flag, so one instruction loads both: 64 bits by an atomic
; load, more bits past the first level of the cache by a volatile vector. Other vectors are words.
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

define i64 @words(i64 %p) {
  %x = call { i64, i64 } asm sideeffect "ld.global.v2.u64 {$0, $1}, [$2];", "=l,=l,l"(i64 %p)
  %y = extractvalue { i64, i64 } %x, 1
  ret i64 %y
}

; CHECK: define internal {{.*}} @cdp.ptx.3(
; CHECK: load atomic i64, ptr {{.*}} monotonic, align 8, !cdp.cached
; CHECK: define internal {{.*}} @cdp.ptx.4(
; CHECK: load volatile <2 x i64>, ptr {{.*}}, align 16
; CHECK: define internal {{.*}} @cdp.ptx.5(
; CHECK: load atomic i64, ptr {{.*}} monotonic, align 8, !cdp.cached
; CHECK: load atomic i64, ptr {{.*}} monotonic, align 8, !cdp.cached
