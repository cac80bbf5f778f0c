; RUN: cdpcc-opt --passes=instrument-optimized --check=init %s | FileCheck %s
; RUN: cdpcc-opt --passes=instrument --check=init %s | FileCheck %s --check-prefix=LOCAL
; --check=init: a load that is only stored passes the bits on; another load is a use; a load of which
; parts are taken may be a class with padding. Local variables get companions, in the first round; the
; front end's zeros are no writes.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @copy
; CHECK: [[BITS:%.*]] = call i64 @cdp_abi_init_load(ptr %p, i64 4)
; CHECK: call void @cdp_abi_init_store(ptr %q, i64 4, i64 [[BITS]])
; CHECK-NEXT: store i32
; CHECK-NOT: cdp_abi_init_write
; CHECK: ret void
define void @copy(ptr %p, ptr %q) {
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %q, align 4
  ret void
}

; CHECK-LABEL: @use
; CHECK: [[DONE:%.*]] = call i32 @cdp_abi_init_complete(ptr %p)
; CHECK: [[SOME:%.*]] = icmp eq i32 [[DONE]], 0
; CHECK: call void @cdp.guard.init_read(i1 [[SOME]], ptr @{{.*}}, ptr %p, i64 4)
; CHECK-NEXT: load i32, ptr %p
; CHECK: call void @cdp.guard.init_write(i1 {{%.*}}, ptr %q, i64 4)
; CHECK-NEXT: store i32
; CHECK: call void @cdp.guard.init_read_some(i1 {{%.*}}, ptr @{{.*}}, ptr %r, i64 8)
; CHECK: call void @cdp_abi_init_copy(ptr %q, ptr %r, i64 9)
define void @use(ptr %p, ptr %q, ptr %r) {
  %x = load i32, ptr %p, align 4
  %y = add i32 %x, 1
  store i32 %y, ptr %q, align 4
  %z = load i64, ptr %r, align 8
  %low = trunc i64 %z to i8
  %sum = add i8 %low, 1
  store i8 %sum, ptr %q, align 1
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %r, i64 9, i1 false)
  ret void
}

; LOCAL-LABEL: @local
; LOCAL: [[WRITTEN:%.*]] = alloca i1
; LOCAL: store i1 false, ptr [[WRITTEN]]
; LOCAL: store i1 false, ptr [[WRITTEN]]
; LOCAL-NEXT: store i32 0
; LOCAL: [[IS:%.*]] = load i1, ptr [[WRITTEN]]
; LOCAL: [[NOT:%.*]] = xor i1 [[IS]], true
; LOCAL: call void @cdp.guard.local(i1 [[NOT]], ptr @{{.*}})
; LOCAL: store i1 true, ptr [[WRITTEN]]
; LOCAL-NEXT: store i32 1
define i32 @local() {
  %"local variable 'x'" = alloca i32
  store i32 0, ptr %"local variable 'x'", align 4, !annotation !0
  %a = load i32, ptr %"local variable 'x'", align 4
  store i32 1, ptr %"local variable 'x'", align 4
  ret i32 %a
}

; A lane from which nobody reads may pass anything to a shuffle.
; LOCAL-LABEL: @passed_to_a_shuffle
; LOCAL-NOT: call void @cdp.guard.local
; LOCAL: call i32 @_Z11__shfl_syncjii
define i32 @passed_to_a_shuffle() {
  %"local variable 'x'" = alloca i32
  %a = load i32, ptr %"local variable 'x'", align 4
  %b = call i32 @_Z11__shfl_syncjii(i32 -1, i32 %a, i32 0)
  ret i32 %b
}

declare i32 @_Z11__shfl_syncjii(i32, i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!0 = !{!"auto-init"}
