; RUN: cdpcc-opt --passes=instrument,instrument-inlined --check=init %s | FileCheck %s
; --check=init: a local array counts as written when a function gets its address. A second variable
; says so, because that function may overwrite the shadow.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define i32 @passed
; CHECK: [[SHADOW:%.*]] = alloca [8 x i32]
; CHECK: [[STATE:%.*]] = alloca i64
; CHECK: call void @llvm.memset{{.*}}(ptr {{.*}}[[SHADOW]], i8 0, i64 32
; CHECK: store i64 [[UNTOUCHED:[-0-9]+]], ptr [[STATE]]
; CHECK: store i64 0, ptr [[STATE]]
; CHECK-NEXT: call void @fill
; CHECK: [[BITS:%.*]] = load i32, ptr [[SHADOW]]
; CHECK: [[UNWRITTEN:%.*]] = icmp ne i32 [[BITS]], -1
; CHECK: [[NOW:%.*]] = load i64, ptr [[STATE]]
; CHECK: [[IS_UNTOUCHED:%.*]] = icmp eq i64 [[NOW]], [[UNTOUCHED]]
; CHECK: [[BOTH:%.*]] = and i1 [[UNWRITTEN]], [[IS_UNTOUCHED]]
; CHECK: call void @cdp.guard.local(i1 [[BOTH]]
define i32 @passed() {
  %"local variable 'a'" = alloca [8 x i32], align 16
  call void @fill(ptr %"local variable 'a'")
  %x = load i32, ptr %"local variable 'a'", align 4
  %y = add i32 %x, 1
  ret i32 %y
}

; CHECK-LABEL: define i32 @own
; CHECK-NOT: alloca i64
; CHECK: [[BITS:%.*]] = load i32
; CHECK: [[UNWRITTEN:%.*]] = icmp ne i32 {{.*}}, -1
; CHECK-NEXT: call void @cdp.guard.local(i1 [[UNWRITTEN]]
define i32 @own() {
  %"local variable 'a'" = alloca [8 x i32], align 16
  %x = load i32, ptr %"local variable 'a'", align 4
  %y = add i32 %x, 1
  ret i32 %y
}

define void @fill(ptr %p) {
  ret void
}
