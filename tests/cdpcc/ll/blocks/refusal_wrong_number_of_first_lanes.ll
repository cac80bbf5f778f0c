; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The mask names 16 lanes, but 20 lanes take the branch.

; CHECK: refused: the mask of a shuffle may name others than the threads there
define void @cdp.thread.warp(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  %lane = and i32 %t, 31
  %c = icmp ult i32 %lane, 20
  br i1 %c, label %work, label %end
work:
  %x = call i32 @cdp_abi_shfl32(i32 65535, i32 %lane, i32 1, i32 32, i32 3, ptr null)
  call void @use(i32 %x)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
