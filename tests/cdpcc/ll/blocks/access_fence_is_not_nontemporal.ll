; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Nontemporal stores are not ordered. So a kernel that orders its accesses has none.

; CHECK: store of 4 bytes: contiguous{{$}}
; CHECK-NOT: nontemporal
define void @cdp.thread.fence(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @set(ptr %out, i32 %g, float 1.0)
  fence seq_cst
  ret void
}
