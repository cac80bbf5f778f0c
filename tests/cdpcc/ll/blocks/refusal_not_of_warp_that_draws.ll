; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A lane draws numbers for its warp, always the same lane. In the second kernel each iteration decides anew
; whether it draws, perhaps on what other threads do.

; CHECK-NOT: refused
; CHECK: kernel draw: plan for blocks of one row
; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.draw(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %lane = and i32 %t, 31
  %draws = icmp eq i32 %lane, 0
  br label %loop
loop:
  br i1 %draws, label %draw, label %share
draw:
  %own = atomicrmw add ptr %in, i32 1 monotonic, align 4
  br label %share
share:
  %some = phi i32 [ %own, %draw ], [ 0, %loop ]
  %number = call i32 @cdp_abi_shfl32(i32 -1, i32 %some, i32 0, i32 32, i32 0, ptr null)
  %ends = icmp sge i32 %number, %n
  br i1 %ends, label %end, label %work
work:
  call void @set(ptr %out, i32 %number, float 1.0)
  br label %loop
end:
  ret void
}
define void @cdp.thread.sometimes(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  br label %loop
loop:
  %flag = load atomic i32, ptr %out monotonic, align 4
  %draws = icmp eq i32 %flag, 1
  br i1 %draws, label %draw, label %share
draw:
  %own = atomicrmw add ptr %in, i32 1 monotonic, align 4
  br label %share
share:
  %some = phi i32 [ %own, %draw ], [ 0, %loop ]
  %number = call i32 @cdp_abi_shfl32(i32 -1, i32 %some, i32 0, i32 32, i32 0, ptr null)
  %ends = icmp sge i32 %number, %n
  br i1 %ends, label %end, label %work
work:
  call void @set(ptr %out, i32 %number, float 1.0)
  br label %loop
end:
  ret void
}
