; RUN: cdpcc-opt --passes=generation %s 2>&1 | FileCheck %s
; RUN: cdpcc-opt --passes=generation --cdp=2 %s 2>&1 | FileCheck %s --check-prefix=SILENT
; RUN: cdpcc-opt --passes=generation -Wno-cdp-generation %s 2>&1 | FileCheck %s --check-prefix=SILENT
; The unit waits for children, as in the first generation of dynamic parallelism, and names a stream
; of the second. No toolkit accepts both. There is one warning, with both positions.
target triple = "x86_64-pc-linux-gnu"

; CHECK: warning: no CUDA toolkit accepts both cudaDeviceSynchronize in device code, {{.*}} and cudaStreamTailLaunch
; CHECK: note: cudaStreamTailLaunch, which -arch below sm_50 and --cdp=1 refuse, is here
; CHECK-NOT: warning:
; SILENT-NOT: warning:
define void @waits() {
  %a = call i32 @cudaDeviceSynchronize()
  %b = call i32 @cudaDeviceSynchronize()
  ret void
}

define void @names(ptr %buffer) {
  %status = call i32 @launch(ptr %buffer, ptr inttoptr (i64 3 to ptr))
  ret void
}

declare i32 @cudaDeviceSynchronize()
declare i32 @launch(ptr, ptr)
