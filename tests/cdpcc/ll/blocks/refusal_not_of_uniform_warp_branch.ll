; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The branch depends on the warp's number, so all lanes of a warp take the same side.

; CHECK-NOT: refused
; CHECK: kernel warps: plan for
define void @cdp.thread.warps(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %warp = lshr i32 %t, 5
  %c = icmp slt i32 %warp, %n
  br i1 %c, label %work, label %end
work:
  %x = call i32 @cdp_abi_ballot(i32 -1, i32 1)
  call void @use(i32 %x)
  br label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  ret void
}
