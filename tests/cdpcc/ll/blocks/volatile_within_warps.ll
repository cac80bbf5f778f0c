; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s --check-prefixes=ALL,W16
; RUN: cat %p %s | CDPCC_VECTORS=1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s --check-prefixes=ALL,ONE
; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v3 - | FileCheck %s --check-prefixes=ALL,W8
; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64 - | FileCheck %s --check-prefixes=ALL,W4
; The lanes of a warp exchange values without a barrier, so a chunk is one or more whole warps.

; W16: kernel halves: plan for blocks of one row: 16 lanes, 4 vectors at a time
; ONE: kernel halves: plan for blocks of one row: 16 lanes, 2 vectors at a time
; W8: kernel halves: plan for blocks of one row: 8 lanes, 4 vectors at a time
; W4: kernel halves: plan for blocks of one row: 4 lanes, 8 vectors at a time
; ALL: load of 4 bytes: contiguous (4 times)
; ALL: store of 4 bytes: contiguous (2 times)
define void @cdp.thread.halves(ptr noalias readonly align 64 %params) {
  %s = call ptr @shared()
  %t = call i32 @thread.x()
  %wide = zext nneg i32 %t to i64
  %at = getelementptr inbounds i32, ptr %s, i64 %wide
  %half = getelementptr inbounds i8, ptr %at, i64 64
  %quarter = getelementptr inbounds i8, ptr %at, i64 32
  %a = load volatile i32, ptr %half, align 4
  %b = load volatile i32, ptr %at, align 4
  %c = add i32 %a, %b
  store volatile i32 %c, ptr %at, align 4
  %d = load volatile i32, ptr %quarter, align 4
  %e = load volatile i32, ptr %at, align 4
  %f = add i32 %d, %e
  store volatile i32 %f, ptr %at, align 4
  ret void
}
