; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A lane in the function could wait for a lane that runs after it.

; CHECK: refused: it calls a function that has atomics
@counter = global i32 0
define void @down(i32 %n) noinline {
  %old = atomicrmw add ptr @counter, i32 1 monotonic, align 4
  %ends = icmp eq i32 %n, 0
  br i1 %ends, label %end, label %more
more:
  %less = sub i32 %n, 1
  call void @down(i32 %less)
  call void @use(i32 %old)
  br label %end
end:
  ret void
}
define void @cdp.thread.recursive(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  call void @down(i32 %n)
  ret void
}
