; RUN: not cdpcc-opt --passes=ptx %s 2>&1 | FileCheck %s --implicit-check-not=error:
; The error for an unknown statement prints it as in the source: with its operands as %0, on one
; line. A statement with too few operands is unknown, too.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: inline PTX 'wgmma.fence.sync.aligned' is not supported
define void @unknown() {
  call void asm "wgmma.fence.sync.aligned;", ""()
  ret void
}

; CHECK: error: inline PTX 'add.u32 %0, %1' is not supported
define i32 @short(i32 %a) {
  %x = call i32 asm "add.u32   $0,\0A $1;", "=r,r"(i32 %a)
  ret i32 %x
}
