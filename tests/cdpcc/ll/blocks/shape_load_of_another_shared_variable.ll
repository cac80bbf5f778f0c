; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A function stores to the shared variable that it gets as a pointer. The load of another shared variable
; behind the store is uniform; a load of the same variable is not.

; CHECK: shapes of kernel
; CHECK: uniform: %flag = load
; CHECK: vector: %own = load
declare ptr @cdp.shared.address(ptr, i64, i32) nounwind willreturn memory(none)
define private void @put(ptr %tile, i32 %at, float %value) {
  call void @set(ptr %tile, i32 %at, float %value)
  ret void
}
define void @cdp.thread.kernel(ptr noalias readonly align 64 %params) {
  %slab = call ptr @shared()
  %tile = call ptr @cdp.shared.address(ptr %slab, i64 256, i32 0)
  %flag.at.slab = getelementptr inbounds i8, ptr %slab, i64 256
  %flag.at = call ptr @cdp.shared.address(ptr %flag.at.slab, i64 4, i32 1)
  %t = call i32 @thread.x()
  call void @cdp_abi_syncthreads()
  call void @put(ptr %tile, i32 %t, float 1.0)
  %flag = load float, ptr %flag.at, align 4
  %own = load float, ptr %tile, align 4
  %sum = fadd float %flag, %own
  %out = call ptr @out(ptr %params)
  call void @set(ptr %out, i32 %t, float %sum)
  call void @cdp_abi_syncthreads()
  ret void
}
