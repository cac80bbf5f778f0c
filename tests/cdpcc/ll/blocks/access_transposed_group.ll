; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v3 - | FileCheck %s
; Some fields of a structure of seven. Their pieces are transposed, if two fields of one size are
; loaded from at least 16 bytes, or two of them are stored. The stores are delayed past loads.

; CHECK: kernel some:
; CHECK: load of 4 bytes: interleave group, transposed (4 times)
; CHECK: store of 4 bytes: interleave group, transposed{{$}}
; CHECK: store of 4 bytes: part of its group{{$}}
define void @cdp.thread.some(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = sext i32 %g to i64
  %at = getelementptr [7 x float], ptr %out, i64 %i
  %x.at = getelementptr inbounds nuw i8, ptr %at, i64 4
  %vx.at = getelementptr inbounds nuw i8, ptr %at, i64 16
  %y.at = getelementptr inbounds nuw i8, ptr %at, i64 8
  %vy.at = getelementptr inbounds nuw i8, ptr %at, i64 20
  %x = load float, ptr %x.at, align 4
  %vx = load float, ptr %vx.at, align 4
  %x.new = fadd float %x, %vx
  store float %x.new, ptr %x.at, align 4
  %y = load float, ptr %y.at, align 4
  %vy = load float, ptr %vy.at, align 4
  %y.new = fadd float %y, %vy
  store float %y.new, ptr %y.at, align 4
  ret void
}
; CHECK: kernel few_bytes:
; CHECK-NOT: transposed
define void @cdp.thread.few_bytes(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %i = sext i32 %g to i64
  %at = getelementptr [7 x float], ptr %in, i64 %i
  %x = load float, ptr %at, align 4
  %z.at = getelementptr inbounds nuw i8, ptr %at, i64 8
  %z = load float, ptr %z.at, align 4
  %sum = fadd float %x, %z
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
