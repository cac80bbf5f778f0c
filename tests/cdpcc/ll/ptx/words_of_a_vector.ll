; RUN: cdpcc-opt --passes=ptx %s | FileCheck %s
; mov packs and unpacks. The first element of a vector has the low bits. "_" discards an element.
target triple = "x86_64-pc-linux-gnu"

define i64 @pack(i32 %a, i32 %b) {
  %x = call i64 asm "mov.b64 $0, {$1, $2};", "=l,r,r"(i32 %a, i32 %b)
  ret i64 %x
}

define i32 @high(i64 %a) {
  %x = call i32 asm "mov.b64 {_, $0}, $1;", "=r,l"(i64 %a)
  ret i32 %x
}

; CHECK: define internal i64 @cdp.ptx(i32 %0, i32 %1)
; CHECK: [[OUT:%.*]] = alloca i64
; CHECK: [[A:%.*]] = alloca i32
; CHECK: [[B:%.*]] = alloca i32
; CHECK: store i32 %0, ptr [[A]]
; CHECK: store i32 %1, ptr [[B]]
; CHECK: [[SECOND:%.*]] = load i32, ptr [[B]]
; CHECK: [[WIDE:%.*]] = zext i32 [[SECOND]] to i64
; CHECK: shl i64 [[WIDE]], 32

; CHECK: define internal i32 @cdp.ptx.1(
; CHECK: [[PART:%.*]] = lshr i64 {{.*}}, 32
; CHECK: [[HIGH:%.*]] = trunc i64 [[PART]] to i32
; CHECK: store i32 [[HIGH]]
