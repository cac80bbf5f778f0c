; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; An affine address whose stride is the element's size is one contiguous access.

; CHECK: kernel saxpy: plan for blocks of one row: 16 lanes, 4 vectors at a time
; CHECK: region 1: chunk loop without masks, then a masked one
; CHECK: load of 4 bytes: contiguous
; CHECK: store of 4 bytes: contiguous
define void @cdp.thread.saxpy(ptr noalias readonly align 64 %params) {
  %n = load i32, ptr %params, align 8
  %p = getelementptr inbounds nuw i8, ptr %params, i64 8
  %in = load ptr, ptr %p, align 8
  %i = call i32 @global.x()
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %end
work:
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  %x = load float, ptr %at, align 4
  %y = fmul float %x, 2.0
  store float %y, ptr %at, align 4
  br label %end
end:
  ret void
}
