; RUN: cat %p %s | cdpcc-opt --print=plan --check=race -march=x86-64-v4 - | FileCheck %s
; RUN: cat %p %s | cdpcc-opt --print=plan --check=init -march=x86-64-v4 - | FileCheck %s --check-prefix=INIT
; The checks of races and barriers note for each lane at which warp operations it took part.

; CHECK: refused: --check=sync and race look at warp operations lane by lane
; INIT: plan for blocks of one row
define void @cdp.thread.meets(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %i = call i32 @global.x()
  call void @cdp_abi_syncwarp(i32 -1)
  %at = call ptr @element(ptr %in, i32 %i)
  store i32 1, ptr %at, align 4
  ret void
}
