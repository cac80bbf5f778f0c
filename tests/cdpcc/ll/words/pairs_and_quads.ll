; RUN: cdpcc-opt --passes=words %s | FileCheck %s
; RUN: cdpcc-opt --passes='checked words' --check=race %s | FileCheck %s
; RUN: cdpcc-opt --passes='checked words' %s | FileCheck %s --check-prefix=UNCHECKED
; Words with a cache hint that cover 16 aligned bytes become one volatile vector.
target triple = "x86_64-pc-linux-gnu"

; UNCHECKED-NOT: volatile

; CHECK-LABEL: @pair(
; CHECK-NEXT: [[V:%.*]] = load volatile <2 x i64>, ptr %p, align 16, !cdp.cached
; CHECK-NEXT: [[A:%.*]] = extractelement <2 x i64> [[V]], i32 0
; CHECK-NEXT: [[B:%.*]] = extractelement <2 x i64> [[V]], i32 1
; CHECK-NEXT: getelementptr
; CHECK-NEXT: %c = sub i64 [[A]], [[B]]
; CHECK-NEXT: ret i64 %c
define i64 @pair(ptr %p) {
  %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached !0
  %q = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached !0
  %c = sub i64 %a, %b
  ret i64 %c
}

; The words may be plain, behind an offset, and among other loads. They keep their order.
; CHECK-LABEL: @quad(
; CHECK: [[V:%.*]] = load volatile <4 x i32>, ptr %p1, align 16, !cdp.cached
; CHECK-NEXT: extractelement <4 x i32> [[V]], i32 0
; CHECK-NEXT: [[SECOND:%.*]] = extractelement <4 x i32> [[V]], i32 1
; CHECK-NEXT: [[THIRD:%.*]] = extractelement <4 x i32> [[V]], i32 2
; CHECK: %other = load i32
; CHECK-NOT: load
; CHECK: %x = sub i32 [[THIRD]], [[SECOND]]
define i32 @quad(ptr %p, ptr %o) {
  %p1 = getelementptr i8, ptr %p, i64 16
  %p2 = getelementptr i8, ptr %p, i64 20
  %p3 = getelementptr i32, ptr %p1, i64 2
  %p4 = getelementptr i32, ptr %p, i64 7
  %a = load i32, ptr %p1, align 16, !cdp.cached !0
  %c = load i32, ptr %p3, align 8, !cdp.cached !0
  %other = load i32, ptr %o, align 4
  %b = load i32, ptr %p2, align 4, !cdp.cached !0
  %d = load i32, ptr %p4, align 4, !cdp.cached !0
  %x = sub i32 %c, %b
  ret i32 %x
}

; CHECK-LABEL: @stores(
; CHECK: [[ONE:%.*]] = insertelement <2 x i64> poison, i64 %a, i32 0
; CHECK-NEXT: [[TWO:%.*]] = insertelement <2 x i64> [[ONE]], i64 %b, i32 1
; CHECK-NEXT: store volatile <2 x i64> [[TWO]], ptr %p, align 16, !cdp.cached
; CHECK-NEXT: ret void
define void @stores(ptr %p, i64 %a, i64 %b) {
  store atomic i64 %a, ptr %p monotonic, align 16, !cdp.cached !0
  %q = getelementptr i64, ptr %p, i32 1
  store atomic i64 %b, ptr %q monotonic, align 8, !cdp.cached !0
  ret void
}

; Two vectors, one behind the other.
; CHECK-LABEL: @two(
; CHECK: load volatile <2 x i64>, ptr %p, align 16
; CHECK: load volatile <2 x i64>, ptr %p2, align 16
; CHECK-NOT: load atomic
; CHECK: ret i64
define i64 @two(ptr %p) {
  %a = load atomic i64, ptr %p monotonic, align 32, !cdp.cached !0
  %p1 = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %p1 monotonic, align 8, !cdp.cached !0
  %p2 = getelementptr i64, ptr %p, i32 2
  %c = load atomic i64, ptr %p2 monotonic, align 16, !cdp.cached !0
  %p3 = getelementptr i64, ptr %p, i32 3
  %d = load atomic i64, ptr %p3 monotonic, align 8, !cdp.cached !0
  %x = add i64 %b, %d
  ret i64 %x
}

; These stay: without alignment or a mark, of two bases, with a gap, and with a store, a fence, a
; call, or an ordered load between them.
; CHECK-NOT: volatile
define void @not_aligned(ptr %p) {
  %a = load atomic i64, ptr %p monotonic, align 8, !cdp.cached !0
  %q = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached !0
  ret void
}
define void @without_mark(ptr %p) {
  %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached !0
  %q = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8
  ret void
}
define void @of_two_bases(ptr %p, ptr %o) {
  %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached !0
  %q = getelementptr i64, ptr %o, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached !0
  ret void
}
define void @with_a_gap(ptr %p) {
  %a = load atomic i32, ptr %p monotonic, align 16, !cdp.cached !0
  %p1 = getelementptr i32, ptr %p, i32 1
  %b = load atomic i32, ptr %p1 monotonic, align 4, !cdp.cached !0
  %p3 = getelementptr i32, ptr %p, i32 3
  %d = load atomic i32, ptr %p3 monotonic, align 4, !cdp.cached !0
  ret void
}
define void @around_a_store(ptr %p, ptr %o) {
  %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached !0
  store i64 %a, ptr %o, align 8
  %q = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached !0
  ret void
}
define void @around_a_fence(ptr %p) {
  %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached !0
  fence acquire
  %q = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached !0
  ret void
}
declare void @call()
define void @around_a_call(ptr %p) {
  %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached !0
  call void @call()
  %q = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached !0
  ret void
}
define void @around_an_ordered_load(ptr %p, ptr %o) {
  %a = load atomic i64, ptr %p monotonic, align 16, !cdp.cached !0
  %x = load atomic i64, ptr %o acquire, align 8
  %q = getelementptr i64, ptr %p, i32 1
  %b = load atomic i64, ptr %q monotonic, align 8, !cdp.cached !0
  ret void
}
define i64 @stores_around_a_load(ptr %p, ptr %o, i64 %a) {
  store atomic i64 %a, ptr %p monotonic, align 16, !cdp.cached !0
  %x = load i64, ptr %o, align 8
  %q = getelementptr i64, ptr %p, i32 1
  store atomic i64 %a, ptr %q monotonic, align 8, !cdp.cached !0
  ret i64 %x
}

!0 = !{}
