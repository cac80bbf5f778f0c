; RUN: cdpcc-opt --passes=collect,check --cdp=1 %s 2>&1 | FileCheck %s
; RUN: cdpcc-opt --passes=collect,check --cdp=2 %s 2>&1 | FileCheck %s --check-prefix=SILENT
; RUN: cdpcc-opt --passes=collect,check --cdp=1 -Wno-cdp-host-device-launch %s 2>&1 | FileCheck %s --check-prefix=SILENT
; RUN: not cdpcc-opt --passes=collect,check --cdp=1 -Werror=cdp-host-device-launch %s 2>&1 | FileCheck %s --check-prefix=ERROR
; A launch in a __host__ __device__ function, which toolkits of the first generation refuse. The
; warning is only for that function, not for the function for the device alone.
target triple = "x86_64-pc-linux-gnu"

; CHECK: warning: a kernel launch in a __host__ __device__ function
; CHECK-NOT: warning:
; SILENT-NOT: warning:
; ERROR: error: a kernel launch in a __host__ __device__ function
@word = private constant [9 x i8] c"cdp.host\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @both, ptr @word, ptr @file, i32 1, ptr null }]

define void @both(ptr %buffer) {
  %status = call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr null)
  ret void
}

define void @device(ptr %buffer) {
  %status = call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr null)
  ret void
}

declare i32 @cudaLaunchDeviceV2(ptr, ptr)
