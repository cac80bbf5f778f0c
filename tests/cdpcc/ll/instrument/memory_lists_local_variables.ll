; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=memory %s | FileCheck %s
; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=space %s | FileCheck %s --check-prefix=OFF
; --check=memory: a function lists its variables whose addresses are passed to functions of the
; program, or kept in memory. A gap follows each of them.
target triple = "x86_64-pc-linux-gnu"

; OFF-NOT: cdp.with_gap
; CHECK: %cdp.with_gap = type { [8 x i32], [32 x i8] }
; CHECK: @cdp.frame.variables = private constant [1 x { ptr, i64 }] [{ ptr, i64 } { ptr @cdp.text.a, i64 32 }]

; CHECK-LABEL: define i32 @passed
; CHECK: [[FRAME:%.*]] = alloca { ptr, ptr, i64, [1 x ptr] }
; CHECK: [[A:%"local variable 'a'"]] = alloca %cdp.with_gap, align 16
; CHECK: [[HEAD:%.*]] = getelementptr inbounds i8, ptr %cdp.self, i64 72
; CHECK: [[OUTER:%.*]] = load volatile ptr, ptr [[HEAD]]
; CHECK: store volatile ptr [[OUTER]], ptr
; CHECK: store volatile ptr @cdp.frame.variables, ptr
; CHECK: store volatile i64 1, ptr
; CHECK: store volatile ptr [[A]], ptr
; CHECK: store volatile ptr [[FRAME]], ptr [[HEAD]]
; CHECK: call void @fill(ptr {{.*}}[[A]])
; CHECK: store volatile ptr [[OUTER]], ptr [[HEAD]]
; CHECK-NEXT: ret i32
define i32 @passed() {
  %"local variable 'a'" = alloca [8 x i32], align 16
  call void @fill(ptr %"local variable 'a'")
  %x = load i32, ptr %"local variable 'a'", align 4
  ret i32 %x
}

; It is listed while it lives.
; CHECK-LABEL: define void @scope
; CHECK: [[B:%"local variable 'b'"]] = alloca %cdp.with_gap
; CHECK: store volatile ptr null, ptr
; CHECK: call void @llvm.lifetime.start.p0(ptr [[B]])
; CHECK-NEXT: getelementptr
; CHECK-NEXT: store volatile ptr [[B]], ptr
; CHECK: store ptr [[B]], ptr %to
; CHECK: store volatile ptr null, ptr
; CHECK-NEXT: call void @llvm.lifetime.end.p0(ptr [[B]])
define void @scope(ptr %to) {
  %"local variable 'b'" = alloca i32, align 4
  call void @llvm.lifetime.start.p0(ptr %"local variable 'b'")
  store ptr %"local variable 'b'", ptr %to, align 8
  call void @llvm.lifetime.end.p0(ptr %"local variable 'b'")
  ret void
}

; Not if only this function, copies of memory and the runtime use it, or a function gets a copy.
; CHECK-LABEL: define i32 @own
; CHECK-NOT: volatile
; CHECK: ret i32
define i32 @own(i64 %i, ptr %to) {
  %"local variable 'c'" = alloca [8 x i32], align 16
  %a = getelementptr i32, ptr %"local variable 'c'", i64 %i
  store i32 1, ptr %a, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %"local variable 'c'", i64 32, i1 false)
  call void @cdp_abi_print(ptr %"local variable 'c'")
  call void @take(ptr byval([8 x i32]) %"local variable 'c'")
  %x = load i32, ptr %a, align 4
  ret i32 %x
}

define void @fill(ptr %p) {
  ret void
}
define void @take(ptr byval([8 x i32]) %p) {
  ret void
}
declare void @cdp_abi_print(ptr)
