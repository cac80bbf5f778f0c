; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Each thread stores the constant before it loads it.  So all load the same, although others store there
; in the meantime. In the second kernel the region also has a store of another value, in the third not all
; threads store.

; CHECK-LABEL: shapes of same
; CHECK: uniform: %found = load i32
; CHECK-LABEL: shapes of other
; CHECK: warp: %found = load i32
; CHECK-LABEL: shapes of some
; CHECK: warp: %found = load i32
define void @cdp.thread.same(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp eq i32 %t, 5
  call void @cdp_abi_syncthreads()
  store i32 0, ptr %s, align 4
  call void @cdp_abi_syncwarp(i32 -1)
  %found = load i32, ptr %s, align 4
  %value = sitofp i32 %found to float
  call void @set(ptr %out, i32 %t, float %value)
  call void @cdp_abi_syncthreads()
  ret void
}
define void @cdp.thread.other(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp eq i32 %t, 5
  call void @cdp_abi_syncthreads()
  store i32 0, ptr %s, align 4
  call void @cdp_abi_syncwarp(i32 -1)
  %found = load i32, ptr %s, align 4
  %value = sitofp i32 %found to float
  call void @set(ptr %out, i32 %t, float %value)
  br i1 %c, label %set, label %next
set:
  store i32 1, ptr %s, align 4
  br label %next
next:
  call void @cdp_abi_syncthreads()
  ret void
}
define void @cdp.thread.some(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp eq i32 %t, 5
  call void @cdp_abi_syncthreads()
  br i1 %c, label %set, label %next
set:
  store i32 0, ptr %s, align 4
  br label %next
next:
  call void @cdp_abi_syncwarp(i32 -1)
  %found = load i32, ptr %s, align 4
  %value = sitofp i32 %found to float
  call void @set(ptr %out, i32 %t, float %value)
  call void @cdp_abi_syncthreads()
  ret void
}
