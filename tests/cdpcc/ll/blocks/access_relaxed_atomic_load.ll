; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A relaxed load orders nothing, and processors read each word of a vector whole. So relaxed loads
; at consecutive addresses are one contiguous access. At a uniform address each lane loads for
; itself.

; CHECK: load of 4 bytes: contiguous{{$}}
; CHECK: load of 4 bytes: scalarized: it is atomic
define void @cdp.thread.relaxed(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %at = call ptr @element(ptr %in, i32 %g)
  %x = load atomic i32, ptr %at monotonic, align 4
  %one = load atomic i32, ptr %in monotonic, align 4
  %sum = add i32 %x, %one
  %to = call ptr @element(ptr %out, i32 %g)
  store i32 %sum, ptr %to, align 4
  ret void
}
