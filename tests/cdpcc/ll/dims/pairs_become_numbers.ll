; RUN: cdpcc-opt --passes=dims --target=aarch64-linux-gnu %s | FileCheck %s
; For ARM the front end passes a dim3 as an array of two numbers, which block entries do not
; support. Two separate numbers use the same registers. If a pair is loaded, each half is loaded
; separately.
target triple = "aarch64-unknown-linux-gnu"

; CHECK-LABEL: @loaded
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i8, ptr %dims, i64 0
; CHECK: [[LOW:%.*]] = load i64, ptr [[FIRST]]
; CHECK: [[SECOND:%.*]] = getelementptr inbounds i8, ptr %dims, i64 8
; CHECK: [[HIGH:%.*]] = load i64, ptr [[SECOND]]
; CHECK: call ptr @cudaGetParameterBufferV2(ptr %k, i64 [[LOW]], i64 [[HIGH]], i64 1, i64 2, i32 0)
define ptr @loaded(ptr %k, ptr %dims) {
  %pair = load [2 x i64], ptr %dims
  %x = call ptr @cudaGetParameterBufferV2(ptr %k, [2 x i64] %pair, [2 x i64] [i64 1, i64 2], i32 0)
  ret ptr %x
}

; CHECK-LABEL: @made
; CHECK: [[LOW:%.*]] = extractvalue [2 x i64] %pair, 0
; CHECK: [[HIGH:%.*]] = extractvalue [2 x i64] %pair, 1
; CHECK: call ptr @cudaGetParameterBufferV2(ptr %k, i64 [[LOW]], i64 [[HIGH]], i64 [[LOW2:%.*]], i64 [[HIGH2:%.*]], i32 0)
define ptr @made(ptr %k, [2 x i64] %pair) {
  %x = call ptr @cudaGetParameterBufferV2(ptr %k, [2 x i64] %pair, [2 x i64] %pair, i32 0)
  ret ptr %x
}

; CHECK: declare ptr @cudaGetParameterBufferV2(ptr, i64, i64, i64, i64, i32)
declare ptr @cudaGetParameterBufferV2(ptr, [2 x i64], [2 x i64], i32)
