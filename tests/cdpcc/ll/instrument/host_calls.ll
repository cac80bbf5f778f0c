; RUN: cdpcc-opt --passes=host-calls --check=api %s | FileCheck %s
; Calls of the CUDA API whose results are not used are passed to the runtime, with their arguments
; up to the first struct. Overloads of cdpcc's headers are inlined before.
target triple = "x86_64-pc-linux-gnu"

declare i32 @cudaFree(ptr)
declare i32 @cudaMemcpy(ptr, ptr, i64, i32)
declare i32 @cudaMalloc3D(ptr, ptr byval(i64))
declare i32 @cudaLaunchKernel(ptr)
declare i32 @cudaGetLastError()
declare i32 @__gxx_personality_v0(...)

; CHECK-LABEL: define void @unread
; CHECK: %e = call i32 @cudaFree(ptr %p)
; CHECK-NEXT: notail call void (i32, ptr, ...) @cdp_abi_unread_call(i32 %e, ptr @cdp.call{{.*}}, ptr %p)
; CHECK: %c = call i32 @cudaMemcpy(
; CHECK-NEXT: notail call void (i32, ptr, ...) @cdp_abi_unread_call(i32 %c, {{.*}}, ptr %p, ptr null, i64 4, i32 1)
; CHECK: %m = call i32 @cudaMalloc3D(
; CHECK-NEXT: @cdp_abi_unread_call(i32 %m, ptr @cdp.call{{[.0-9]*}}, ptr %p)
; CHECK-NEXT: call i32 @cudaGetLastError()
; CHECK-NEXT: ret void
define void @unread(ptr %p) {
  %e = call i32 @cudaFree(ptr %p)
  %c = call i32 @cudaMemcpy(ptr %p, ptr null, i64 4, i32 1)
  %m = call i32 @cudaMalloc3D(ptr %p, ptr byval(i64) %p)
  %l = call i32 @cudaGetLastError()
  ret void
}

; CHECK-LABEL: define i32 @read
; CHECK-NOT: unread_call
; CHECK: ret
define i32 @read(ptr %p) {
  %e = call i32 @cudaFree(ptr %p)
  ret i32 %e
}

define internal i32 @overload(ptr %p) alwaysinline {
  %e = call i32 @cudaFree(ptr %p)
  ret i32 %e
}

; CHECK-LABEL: define void @unread_overload
; CHECK: call i32 @cudaFree
; CHECK-NEXT: @cdp_abi_unread_call
define void @unread_overload(ptr %p) {
  %e = call i32 @overload(ptr %p)
  ret void
}

; CHECK-LABEL: define i32 @read_overload
; CHECK-NOT: unread_call
; CHECK: ret
define i32 @read_overload(ptr %p) {
  %e = call i32 @overload(ptr %p)
  ret i32 %e
}

; CHECK-LABEL: define void @_Z16__device_stub__kv
; CHECK-NOT: unread_call
; CHECK: ret
define void @_Z16__device_stub__kv() {
  %e = call i32 @cudaLaunchKernel(ptr @_Z16__device_stub__kv)
  ret void
}

; CHECK-LABEL: define void @may_throw
; CHECK: invoke i32 @cudaFree(ptr %p)
; CHECK-NEXT: to label %[[BLOCK:.*]] unwind label %lost
; CHECK: [[BLOCK]]:
; CHECK-NEXT: @cdp_abi_unread_call(
; CHECK-NEXT: br label %done
define void @may_throw(ptr %p) personality ptr @__gxx_personality_v0 {
  %e = invoke i32 @cudaFree(ptr %p) to label %done unwind label %lost
done:
  ret void
lost:
  %l = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %l
}
