; RUN: cdpcc-opt --passes=check %s | FileCheck %s --check-prefix=FINE
; RUN: not cdpcc-opt --passes=check -rdc=false %s 2>&1 | FileCheck %s --check-prefix=RDC
; RUN: not cdpcc-opt --passes=check -arch=sm_30 %s 2>&1 | FileCheck %s --check-prefix=ARCH
; A launch from device code needs separate compilation and an architecture that can launch. The call
; for the parameter buffer belongs to the same launch, so there is one report.
target triple = "x86_64-pc-linux-gnu"

; FINE: define void @parent
; RDC: error: a kernel launch from device code needs separate compilation (-rdc=true); -rdc=false was given
; RDC-NOT: error:
; ARCH: error: a kernel launch from device code needs compute capability 3.5 (-arch=sm_35 or later); -arch=sm_30 was given
; ARCH-NOT: error:
define void @parent(ptr %kernel) {
  %buffer = call ptr @cudaGetParameterBufferV2(ptr %kernel)
  %status = call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr null)
  ret void
}

declare ptr @cudaGetParameterBufferV2(ptr)
declare i32 @cudaLaunchDeviceV2(ptr, ptr)
