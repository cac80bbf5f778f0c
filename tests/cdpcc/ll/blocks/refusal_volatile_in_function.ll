; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The function runs lane by lane, so the lanes of a warp would not be in step in it. Functions that are
; neither recursive nor noinline become part of the kernel.

; CHECK: refused: it calls a function that has volatile accesses
define void @down(ptr %at, i32 %n) noinline {
  store volatile i32 %n, ptr %at, align 4
  %ends = icmp eq i32 %n, 0
  br i1 %ends, label %end, label %more
more:
  %less = sub i32 %n, 1
  call void @down(ptr %at, i32 %less)
  br label %end
end:
  ret void
}
define void @cdp.thread.recursive(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  call void @down(ptr %in, i32 %n)
  ret void
}
; CHECK: kernel inlined: plan for
define void @up(ptr %at, i32 %n) {
  store volatile i32 %n, ptr %at, align 4
  ret void
}
define void @cdp.thread.inlined(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  call void @up(ptr %in, i32 %n)
  ret void
}
; CHECK: refused: it calls a function that has volatile accesses
define void @apart(ptr %at, i32 %n) noinline {
  store volatile i32 %n, ptr %at, align 4
  ret void
}
define void @cdp.thread.called(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  call void @apart(ptr %in, i32 %n)
  ret void
}
