; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Two fields in the middle of a structure that is not aligned are no interleave group. They are a
; field pair: every second element of twice the size.

; CHECK: load of 4 bytes: field pair, strided: the addresses of neighbouring threads are 16 bytes
; CHECK: load of 4 bytes: part of its group
define void @cdp.thread.pair(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %from = getelementptr { float, float, float, float }, ptr %in, i64 %wide
  %second = getelementptr inbounds nuw i8, ptr %from, i64 4
  %y = load float, ptr %second, align 4
  %third = getelementptr inbounds nuw i8, ptr %from, i64 8
  %z = load float, ptr %third, align 4
  %sum = fadd float %y, %z
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
