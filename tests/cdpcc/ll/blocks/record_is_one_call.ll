; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Calls that describe an access to the checks take all lanes of a chunk at once. A call that the
; vectorizer does not know runs one lane after the other.

; CHECK: kernel recorded: plan for blocks of one row: 16 lanes, 4 vectors at a time
; CHECK-NOT: call of
; CHECK: kernel copied: plan for blocks of one row: 16 lanes, 1 vector at a time
; CHECK: call of init_load: one lane after the other
@site = external global i8
declare void @cdp_abi_race_load(ptr, ptr, i64)
declare void @cdp_abi_race_store(ptr, ptr, i64, i64)
declare i64 @cdp_abi_init_load(ptr, i64)
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
  ret void
}
define void @cdp.thread.copied(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %i)
  %bits = call i64 @cdp_abi_init_load(ptr %at, i64 4)
  %low = trunc i64 %bits to i32
  store i32 %low, ptr %at, align 4
  ret void
}
