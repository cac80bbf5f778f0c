; RUN: cdpcc-opt --passes=host-calls --check=memory %s | FileCheck %s
; RUN: cdpcc-opt --passes=host-calls --check=api %s | FileCheck %s --check-prefix=OFF
; Copies and fills of memory by host code are passed to the runtime, unless the memory is a local
; variable.
target triple = "x86_64-pc-linux-gnu"

; OFF-NOT: cdp_abi_host_access
; CHECK-LABEL: define void @copies
; CHECK: call void @cdp_abi_host_access(ptr %to, i64 %n, i32 1)
; CHECK-NEXT: call void @cdp_abi_host_access(ptr %from, i64 %n, i32 0)
; CHECK-NEXT: call void @llvm.memcpy
; CHECK-NEXT: call void @cdp_abi_host_access(ptr %to, i64 12, i32 1)
; CHECK-NEXT: call void @llvm.memset
define void @copies(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  call void @llvm.memset.p0.i32(ptr %to, i8 0, i32 12, i1 false)
  ret void
}

; CHECK-LABEL: define void @local
; CHECK-NOT: ptr %field
; CHECK: call void @cdp_abi_host_access(ptr %from, i64 8, i32 0)
; CHECK-NEXT: call void @llvm.memmove
define void @local(ptr %from) {
  %variable = alloca [16 x i8]
  %field = getelementptr i8, ptr %variable, i64 8
  call void @llvm.memmove.p0.p0.i64(ptr %field, ptr %from, i64 8, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
