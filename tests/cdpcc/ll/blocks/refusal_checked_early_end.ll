; RUN: cat %p %s | cdpcc-opt --print=plan --check=sync -march=x86-64-v4 - | FileCheck %s
; RUN: cat %p %s | cdpcc-opt --print=plan --check=race -march=x86-64-v4 - | FileCheck %s --check-prefix=RACE
; Threads may end before a barrier that others reach. --check=sync reports that at the barrier.

; CHECK: refused: --check=sync reports threads that end before a barrier
; RACE: plan for blocks of one row
define void @cdp.thread.ends(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %end
work:
  call void @cdp_abi_syncthreads()
  %at = call ptr @element(ptr %in, i32 %i)
  store i32 1, ptr %at, align 4
  br label %end
end:
  ret void
}
