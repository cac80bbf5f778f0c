; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Nontemporal stores need the fence after the last block of a call of the entry. A kernel that calls
; functions runs one block in each call, so its stores are not nontemporal.

; CHECK: store of 4 bytes: contiguous{{$}}
; CHECK-NOT: nontemporal
define void @cdp.thread.call(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  call void @use(i32 %g)
  call void @set(ptr %out, i32 %g, float 1.0)
  ret void
}
