; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A called function runs lane by lane, so the first lane would wait for the others for ever.
; (Functions with barriers are inlined, except recursive ones that do not become loops.)

; CHECK: refused: it calls a function that has a barrier
define void @down(i32 %n) noinline {
  call void @cdp_abi_syncthreads()
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
