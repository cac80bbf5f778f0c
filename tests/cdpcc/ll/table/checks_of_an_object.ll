; RUN: cdpcc-opt --passes=table --check=memory,race %s | FileCheck %s
; RUN: cdpcc-opt --passes=table %s | FileCheck %s --check-prefix=OFF
; An object says which checks it was compiled with: memory (1), race (4), and space (64), which
; memory includes.
target triple = "x86_64-pc-linux-gnu"

; CHECK: @cdp.checks = private constant i32 69, section "cdp_checks", align 4
; CHECK: @llvm.used = {{.*}}ptr @cdp.checks
; OFF: @cdp.object = private constant i32 1, section "cdp_objects", align 4
; OFF-NOT: cdp_checks
define void @f() {
  ret void
}
