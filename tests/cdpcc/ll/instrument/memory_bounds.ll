; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=memory %s | FileCheck %s
; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=space %s | FileCheck %s --check-prefix=OFF
; --check=memory: a pointer's object is looked up where the pointer is computed. A variable's bounds
; are known, and an access at its start needs no test. A marked shared variable has the marker's size;
; the marker is removed.
target triple = "x86_64-pc-linux-gnu"

@variable = global [4 x i32] zeroinitializer
; OFF-NOT: cdp_abi_bounds

; CHECK-LABEL: define void @pointer
; CHECK-NEXT: [[PAIR:%.*]] = call { i64, i64 } @cdp_abi_bounds(ptr %p)
; CHECK: [[LOW:%.*]] = extractvalue { i64, i64 } [[PAIR]], 0
; CHECK: [[SIZE:%.*]] = extractvalue { i64, i64 } [[PAIR]], 1
; CHECK: loop:
; CHECK: [[NUMBER:%.*]] = ptrtoint ptr %a to i64
; CHECK: [[OFFSET:%.*]] = sub i64 [[NUMBER]], [[LOW]]
; CHECK: [[ROOM:%.*]] = call i64 @llvm.usub.sat.i64(i64 [[SIZE]], i64 3)
; CHECK: [[OUTSIDE:%.*]] = icmp uge i64 [[OFFSET]], [[ROOM]]
; CHECK: call void @cdp.guard.memory(i1 [[OUTSIDE]], ptr @{{.*}}, ptr %a, i64 4, ptr %p, i64 -1)
; CHECK: store i32 1, ptr %a
define void @pointer(ptr %p, i64 %n) {
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %a, align 4
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: define void @variables
; CHECK-NOT: cdp_abi_bounds
; CHECK: call i64 @llvm.usub.sat.i64(i64 16, i64 3)
; CHECK: call void @cdp.guard.memory(i1 {{%.*}}, ptr @{{.*}}, ptr %a, i64 4, ptr @variable, i64 16)
; CHECK: store i32 1, ptr %a
; CHECK-NOT: call void @cdp.guard.memory
; CHECK: store i32 2, ptr @variable
define void @variables(i64 %i) {
  %a = getelementptr i32, ptr @variable, i64 %i
  store i32 1, ptr %a, align 4
  store i32 2, ptr @variable, align 4
  ret void
}

; CHECK-LABEL: define void @shared
; CHECK-NOT: cdp.shared.address
; CHECK: call i64 @llvm.usub.sat.i64(i64 128, i64 3)
; CHECK: call void @cdp.guard.memory(i1 {{%.*}}, ptr @{{.*}}, ptr %a, i64 4, ptr %slab, i64 128)
; OFF-LABEL: define void @shared
; OFF-NOT: cdp.shared.address
define void @shared(ptr %slab, i64 %i) {
  %s = call ptr @cdp.shared.address(ptr %slab, i64 128, i32 0)
  %a = getelementptr i32, ptr %s, i64 %i
  store i32 1, ptr %a, align 4
  ret void
}

; A function that frees memory looks the object up at each access.
; CHECK-LABEL: define i32 @frees
; CHECK-NEXT: call void @cdp_abi_free(ptr %p)
; CHECK: call { i64, i64 } @cdp_abi_bounds(ptr %p)
define i32 @frees(ptr %p) {
  call void @cdp_abi_free(ptr %p)
  %x = load i32, ptr %p, align 4
  ret i32 %x
}

declare ptr @cdp.shared.address(ptr, i64, i32)
declare void @cdp_abi_free(ptr)
