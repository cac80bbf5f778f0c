; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The search through called functions ends when a function occurs a second time.

; CHECK: refused: it calls a recursive function
define void @down(i32 %n) noinline {
  %ends = icmp eq i32 %n, 0
  br i1 %ends, label %end, label %more
more:
  %less = sub i32 %n, 1
  call void @down(i32 %less)
  call void @use(i32 %n)
  br label %end
end:
  ret void
}
define void @cdp.thread.recursive(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  call void @down(i32 %n)
  ret void
}
