; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=race %s | FileCheck %s
; --check=race: the loads of a loop of one block are one call before it, with their distance and
; number. The loop must not synchronize, and the address must be affine in its iterations.
target triple = "x86_64-pc-linux-gnu"

; An index that is multiplied: n words from one access to the next one.
; CHECK-LABEL: @column
; CHECK: before:
; CHECK: %[[COUNT:.*]] = sub i64 %n, 1
; CHECK: %[[N:.*]] = add i64 %[[COUNT]], 1
; CHECK: %[[STEP:.*]] = mul i64 %n, 4
; CHECK: call void @cdp_abi_race_loads(ptr @{{.*}}, ptr %{{.*}}, i64 4, i64 %[[STEP]], i64 %[[N]])
; CHECK: loop:
; CHECK-NOT: call void @cdp_abi_race_load
; CHECK: ret
define i32 @column(ptr %p, i64 %n, i64 %t) {
before:
  %a = getelementptr i32, ptr %p, i64 %t
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %sum = phi i32 [ 0, %before ], [ %more, %loop ]
  %word = mul i64 %i, %n
  %at = getelementptr i32, ptr %a, i64 %word
  %x = load i32, ptr %at, align 4
  %more = add i32 %sum, %x
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i32 %more
}

; Downward, two at a time, as long as the counter is above 1: (9 - 1 + 1) / 2 + 1 loads from p + 11.
; CHECK-LABEL: @down
; CHECK: before:
; CHECK: call void @cdp_abi_race_loads(ptr @{{.*}}, ptr %{{.*}}, i64 1, i64 -2, i64 5)
; CHECK: loop:
define i8 @down(ptr %p) {
before:
  br label %loop
loop:
  %i = phi i32 [ 11, %before ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  %at = getelementptr i8, ptr %p, i64 %wide
  %x = load i8, ptr %at, align 1
  %next = add nsw i32 %i, -2
  %more = icmp sgt i32 %next, 1
  br i1 %more, label %loop, label %end
end:
  ret i8 %x
}

; An index of 8 bits wraps around.
; CHECK-LABEL: @narrow
; CHECK-NOT: cdp_abi_race_loads
; CHECK: call void @cdp_abi_race_load(
; CHECK: ret
define i8 @narrow(ptr %p, i64 %n) {
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %k = phi i8 [ -6, %before ], [ %k.next, %loop ]
  %wide = zext i8 %k to i64
  %at = getelementptr i8, ptr %p, i64 %wide
  %x = load i8, ptr %at, align 1
  %k.next = add i8 %k, 1
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i8 %x
}

; A fence may order what is loaded after it.
; CHECK-LABEL: @synchronizes
; CHECK-NOT: cdp_abi_race_loads
; CHECK: ret
define i8 @synchronizes(ptr %p, i64 %n) {
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %next, %loop ]
  %at = getelementptr i8, ptr %p, i64 %i
  %x = load i8, ptr %at, align 1
  fence seq_cst
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  ret i8 %x
}
