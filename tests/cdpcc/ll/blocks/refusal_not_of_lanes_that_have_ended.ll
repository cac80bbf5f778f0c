; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The vote names all lanes. The lanes that do not reach it have nothing else to do. They count as
; ended, so the vote does not wait for them.

; CHECK-NOT: refused
; CHECK: kernel early: plan for
define void @cdp.thread.early(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %work, label %end
work:
  %x = call i32 @cdp_abi_ballot(i32 -1, i32 1)
  call void @use(i32 %x)
  br label %end
end:
  ret void
}
