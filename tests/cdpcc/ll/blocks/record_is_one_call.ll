; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Calls that describe a plain access to the checks take all lanes of a chunk at once. An atomic access
; is described one lane after the other: it may release and acquire.

; CHECK: kernel recorded: plan for blocks of one row: 16 lanes, 4 vectors at a time
; CHECK-NOT: call of
; CHECK: kernel counts: plan for blocks of one row: 16 lanes, 1 vector at a time
; CHECK: call of race_access: one lane after the other
@site = external global i8
declare void @cdp_abi_race_load(ptr, ptr, i64)
declare void @cdp_abi_race_store(ptr, ptr, i64, i64)
declare i64 @cdp_abi_init_load(ptr, i64)
declare void @cdp_abi_init_store(ptr, i64, i64)
declare void @cdp_abi_race_access(ptr, ptr, i64)
define void @cdp.thread.recorded(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %i)
  call void @cdp_abi_race_load(ptr @site, ptr %at, i64 4)
  %x = load i32, ptr %at, align 4
  %y = add i32 %x, 2
  %value = zext i32 %y to i64
  call void @cdp_abi_race_store(ptr @site, ptr %at, i64 4, i64 %value)
  store i32 %y, ptr %at, align 4
  %bits = call i64 @cdp_abi_init_load(ptr %at, i64 4)
  call void @cdp_abi_init_store(ptr %at, i64 4, i64 %bits)
  ret void
}
define void @cdp.thread.counts(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %i)
  call void @cdp_abi_race_access(ptr @site, ptr %at, i64 4)
  %old = atomicrmw add ptr %at, i32 1 monotonic, align 4
  ret void
}
