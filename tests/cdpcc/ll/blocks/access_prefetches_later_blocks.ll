; RUN: cat %p %s | env CDPCC_SIZES=256x1x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A contiguous access prefetches what a block 4 KiB ahead will load. This needs a known block size;
; otherwise the hints cost more time than they save.

; CHECK: plan for blocks of 256x1x1
; CHECK: load of 4 bytes: contiguous, prefetched for later blocks
; CHECK: store of 4 bytes: contiguous{{$}}
; CHECK: plan for blocks of one row
; CHECK: load of 4 bytes: contiguous{{$}}
define void @cdp.thread.scale(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  %x = call float @get(ptr %in, i32 %g)
  %y = fmul float %x, 2.0
  call void @set(ptr %in, i32 %g, float %y)
  ret void
}
