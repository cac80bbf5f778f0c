; RUN: cat %p %s | cdpcc-opt --passes=block-entries -march=x86-64-v4 - | FileCheck %s
; The global thread index does not wrap around. So the vectors of a chunk have one base, and the
; distance between them is a constant.

; CHECK-LABEL: define {{.*}}@cdp.one_row.bytes
; CHECK: mul nuw nsw i32
; CHECK: [[FIRST:%.*]] = add nuw nsw i32
; CHECK: add nuw nsw i32 [[FIRST]], 16
; CHECK: add nuw nsw i32 [[FIRST]], 32
; CHECK: add nuw nsw i32 [[FIRST]], 48
define void @cdp.thread.bytes(ptr noalias readonly align 64 %params) {
  %n = load i32, ptr %params, align 8
  %p = getelementptr inbounds nuw i8, ptr %params, i64 8
  %in = load ptr, ptr %p, align 8
  %i = call i32 @global.x()
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %end
work:
  %wide = sext i32 %i to i64
  %at = getelementptr i8, ptr %in, i64 %wide
  %x = load i8, ptr %at, align 1
  %y = xor i8 %x, 5
  store i8 %y, ptr %at, align 1
  br label %end
end:
  ret void
}
