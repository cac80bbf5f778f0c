; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A guard of --check makes a call only if its condition holds, which is rare. So it neither limits the
; vectors of a chunk, nor counts as a call that runs one lane after the other.

; CHECK: plan for blocks of one row: 16 lanes, 4 vectors at a time
; CHECK: region 1: chunk loop without masks, then a masked one
; CHECK-NEXT: load of 4 bytes: contiguous
; CHECK-NOT: call of
; CHECK: store of 4 bytes: contiguous
define internal void @cdp.guard.memory(i1 %outside, ptr %address) noinline {
  br i1 %outside, label %call, label %end
call:
  call void @cdp_abi_memory_fault(ptr %address)
  br label %end
end:
  ret void
}
declare void @cdp_abi_memory_fault(ptr)
define void @cdp.thread.guarded(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %i)
  %low = ptrtoint ptr %in to i64
  %number = ptrtoint ptr %at to i64
  %offset = sub i64 %number, %low
  %outside = icmp uge i64 %offset, 4000
  call void @cdp.guard.memory(i1 %outside, ptr %at)
  %x = load float, ptr %at, align 4
  %y = fmul float %x, 2.0
  call void @cdp.guard.memory(i1 %outside, ptr %at)
  store float %y, ptr %at, align 4
  ret void
}
