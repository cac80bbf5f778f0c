; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; Lanes leave the first loop in different iterations, and by different exits. They are together again
; behind it, so the second loop's counter stays uniform, and it may contain barriers.

; CHECK: uniform: %i = phi
; CHECK: varying: %last = phi
; CHECK: uniform: %d = phi
; CHECK: uniform: %half = lshr
define void @cdp.thread.two_exits(ptr noalias readonly align 64 %params) {
  %t = call i32 @thread.x()
  br label %first
first:
  %i = phi i32 [ 0, %0 ], [ %next, %again ]
  %at = shl i32 %i, 6
  %place = add i32 %t, %at
  %inside = icmp ult i32 %place, 160
  br i1 %inside, label %again, label %out
again:
  call void @use(i32 %place)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 3
  br i1 %more, label %first, label %out
out:
  %last = phi i32 [ %i, %first ], [ %next, %again ]
  call void @use(i32 %last)
  call void @cdp_abi_syncthreads()
  br label %second
second:
  %d = phi i32 [ 32, %out ], [ %half, %second ]
  call void @use(i32 %d)
  call void @cdp_abi_syncthreads()
  %half = lshr i32 %d, 1
  %rest = icmp ne i32 %half, 0
  br i1 %rest, label %second, label %end
end:
  ret void
}
