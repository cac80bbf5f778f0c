; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; After a divergent branch the phi shows which side each lane took. So it is varying, although both
; incoming values are uniform.

; CHECK: varying: %x = phi
define void @cdp.thread.join(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %t = call i32 @thread.x()
  %c = icmp slt i32 %t, %n
  br i1 %c, label %left, label %right
left:
  call void @use(i32 1)
  br label %join
right:
  call void @use(i32 2)
  br label %join
join:
  %x = phi i32 [ %n, %left ], [ %m, %right ]
  call void @use(i32 %x)
  ret void
}
