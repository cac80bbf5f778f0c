; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; The fields of consecutive structures are contiguous together. The loads read whole structures,
; which the alignment permits. The stores are delayed until the last one.

; CHECK: load of 4 bytes: interleave group (2 times)
; CHECK: store of 4 bytes: interleave group{{$}}
; CHECK: store of 4 bytes: part of its group
define void @cdp.thread.group(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %from = getelementptr { float, float, float, float }, ptr %in, i64 %wide
  %x = load float, ptr %from, align 16
  %w.at = getelementptr inbounds nuw i8, ptr %from, i64 12
  %w = load float, ptr %w.at, align 4
  %to = getelementptr { float, float }, ptr %out, i64 %wide
  store float %w, ptr %to, align 8
  %second = getelementptr inbounds nuw i8, ptr %to, i64 4
  store float %x, ptr %second, align 4
  ret void
}
