; RUN: cdpcc-opt --passes=join-bytes %s | FileCheck %s
; Trees of shifted bytes become loads of words. The constant of a 32-bit index leaves its extension.
; A loop that puts a word together is unrolled. Three bytes stay, and so do bytes that a store is
; between.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @low_first
; CHECK: %p0 = getelementptr i8, ptr %p, i64
; CHECK-NEXT: %word = load i16, ptr %p0, align 1
; CHECK-NOT: load
define i32 @low_first(ptr %p, i32 %i) {
  %a = shl i32 %i, 1
  %b = or disjoint i32 %a, 1
  %x = zext i32 %a to i64
  %y = zext i32 %b to i64
  %p0 = getelementptr i8, ptr %p, i64 %x
  %p1 = getelementptr i8, ptr %p, i64 %y
  %l0 = load i8, ptr %p0, align 1
  %l1 = load i8, ptr %p1, align 1
  %e0 = zext i8 %l0 to i32
  %e1 = zext i8 %l1 to i32
  %h1 = shl i32 %e1, 8
  %o = or i32 %h1, %e0
  ret i32 %o
}

; CHECK-LABEL: @high_first
; CHECK: %word = load i32, ptr %p, align 4
; CHECK-NEXT: call i32 @llvm.bswap.i32(i32 %word)
; CHECK-NOT: load
define i32 @high_first(ptr %p) {
entry:
  br label %body
body:
  %n = phi i64 [ 0, %entry ], [ %next, %body ]
  %v = phi i32 [ 0, %entry ], [ %o, %body ]
  %q = getelementptr i8, ptr %p, i64 %n
  %l = load i8, ptr %q, align 4
  %e = zext i8 %l to i32
  %h = shl i32 %v, 8
  %o = or i32 %h, %e
  %next = add i64 %n, 1
  %done = icmp eq i64 %next, 4
  br i1 %done, label %out, label %body
out:
  %r = phi i32 [ %o, %body ]
  ret i32 %r
}

; CHECK-LABEL: @colour
; CHECK: load i8
; CHECK: load i8
; CHECK: load i8
define i32 @colour(ptr %p) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %p2 = getelementptr i8, ptr %p, i64 2
  %l0 = load i8, ptr %p
  %l1 = load i8, ptr %p1
  %l2 = load i8, ptr %p2
  %e0 = zext i8 %l0 to i32
  %e1 = zext i8 %l1 to i32
  %e2 = zext i8 %l2 to i32
  %h1 = shl i32 %e1, 8
  %h2 = shl i32 %e2, 16
  %a = or i32 %h1, %e0
  %b = or i32 %h2, %a
  ret i32 %b
}

; CHECK-LABEL: @store_between
; CHECK: load i8
; CHECK: store
; CHECK: load i8
define i32 @store_between(ptr %p, ptr %q) {
  %p1 = getelementptr i8, ptr %p, i64 1
  %l0 = load i8, ptr %p
  store i8 0, ptr %q
  %l1 = load i8, ptr %p1
  %e0 = zext i8 %l0 to i32
  %e1 = zext i8 %l1 to i32
  %h1 = shl i32 %e1, 8
  %a = or i32 %h1, %e0
  ret i32 %a
}
