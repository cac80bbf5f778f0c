; RUN: not cdpcc-opt --passes=check %s 2>&1 | FileCheck %s --implicit-check-not=error:
; Of LLVM's intrinsics for GPUs only the barrier has a meaning here. Any other one would be a call
; of a function that no unit defines.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: the GPU intrinsic 'llvm.nvvm.read.ptx.sreg.tid.x' is not supported
define i32 @reads() {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  ret i32 %x
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
