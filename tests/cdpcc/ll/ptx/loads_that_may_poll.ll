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
