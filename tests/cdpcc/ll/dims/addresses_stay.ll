; RUN: cdpcc-opt --passes=dims --target=aarch64-linux-gnu %s | FileCheck %s
; Only calls are changed. The address of the function becomes that of the new function. Other
; functions of the program keep their pairs.
target triple = "aarch64-unknown-linux-gnu"

; CHECK-LABEL: @address
; CHECK: ret ptr @cudaLaunchDevice
define ptr @address() {
  ret ptr @cudaLaunchDevice
}

; CHECK-LABEL: @others
; CHECK: call void @other([2 x i64] %pair)
define void @others([2 x i64] %pair) {
  call void @other([2 x i64] %pair)
  ret void
}

; CHECK-DAG: declare i32 @cudaLaunchDevice(ptr, ptr, i64, i64, i64, i64, i32, ptr)
; CHECK-DAG: declare void @other([2 x i64])
declare i32 @cudaLaunchDevice(ptr, ptr, [2 x i64], [2 x i64], i32, ptr)
declare void @other([2 x i64])
