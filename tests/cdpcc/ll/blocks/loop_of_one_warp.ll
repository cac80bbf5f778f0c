; RUN: cat %p %s | env CDPCC_VECTORS=2 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s --check-prefix=ONE
; RUN: cat %p %s | env CDPCC_VECTORS=4 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s --check-prefix=TWO
; Each warp has a number of iterations of its own. If a chunk is one warp, all its lanes leave the loop
; at once, and it needs no masks.

; ONE: loop: uniform{{$}}
; ONE: load of 4 bytes: contiguous
; TWO: loop: all-active iterations, then a masked remainder{{$}}
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %t = call i32 @thread.x()
  %warp = lshr i32 %t, 5
  br label %loop
loop:
  %row = phi i32 [ %warp, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %first = shl i32 %row, 10
  %at = add nsw i32 %first, %t
  %x = call float @get(ptr %in, i32 %at)
  %more = fadd float %sum, %x
  %next = add nuw nsw i32 %row, 4
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  call void @cdp_abi_syncwarp(i32 -1)
  call void @set(ptr %out, i32 %t, float %more)
  ret void
}
