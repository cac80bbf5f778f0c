; RUN: cdpcc-opt --passes=builtin %s | FileCheck %s
; threadIdx is loaded from the thread's context, and blockDim from its block's. The loads are
; invariant and have CUDA's ranges. The optimizer needs both to see that a loop over threadIdx is
; short.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @thread
; CHECK: [[SELF:%.*]] = load ptr, ptr @cdp_abi_self, {{.*}}!invariant.load
; CHECK-NOT: load ptr
; CHECK: [[X:%.*]] = load i32, ptr {{.*}}!range [[THREADS:![0-9]+]], !invariant.load
; CHECK-NEXT: ret i32 [[X]]
define i32 @thread() {
  %x = call i32 @__cdp_threadIdx_x()
  ret i32 %x
}

; CHECK-LABEL: @block
; CHECK: [[SELF:%.*]] = load ptr, ptr @cdp_abi_self
; CHECK: [[AT:%.*]] = getelementptr inbounds i8, ptr [[SELF]]
; CHECK: [[BLOCK:%.*]] = load ptr, ptr [[AT]]
; CHECK: [[FIELD:%.*]] = getelementptr inbounds i8, ptr [[BLOCK]]
; CHECK: load i32, ptr [[FIELD]], {{.*}}!range [[SIZES:![0-9]+]]
define i32 @block() {
  %x = call i32 @__cdp_blockDim_x()
  ret i32 %x
}

declare i32 @__cdp_threadIdx_x()
declare i32 @__cdp_blockDim_x()
; CHECK-DAG: [[THREADS]] = !{i32 0, i32 1024}
; CHECK-DAG: [[SIZES]] = !{i32 1, i32 1025}
