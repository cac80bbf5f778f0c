; RUN: cat %p %s | env CDPCC_SIZES=16x16x1 cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; In a product of matrices several rows of threads read one row of memory, and the next row is far
; away. Only with a known block size it is known how many threads share a row.

; CHECK: plan for blocks of 16x16x1
; CHECK: loop: uniform; prefetches matrix rows 8 iterations ahead
; CHECK: plan for rows that are multiples of a vector
; CHECK: loop: uniform{{$}}
define void @cdp.thread.product(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %y = call i32 @global.y()
  %wide.x = sext i32 %x to i64
  %wide.y = sext i32 %y to i64
  %wide.n = sext i32 %n to i64
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %work, label %end
work:
  call void @cdp_abi_syncthreads()
  %row = mul nsw i64 %wide.y, %wide.n
  br label %loop
loop:
  %k = phi i64 [ 0, %work ], [ %next, %loop ]
  %sum = phi float [ 0.0, %work ], [ %more, %loop ]
  %a.index = add nsw i64 %row, %k
  %a.at = getelementptr float, ptr %in, i64 %a.index
  %a = load float, ptr %a.at, align 4
  %b.row = mul nsw i64 %k, %wide.n
  %b.index = add nsw i64 %b.row, %wide.x
  %b.at = getelementptr float, ptr %in, i64 %b.index
  %b = load float, ptr %b.at, align 4
  %product = fmul float %a, %b
  %more = fadd float %sum, %product
  %next = add nuw nsw i64 %k, 1
  %goes.on = icmp slt i64 %next, %wide.n
  br i1 %goes.on, label %loop, label %write
write:
  %to.index = add nsw i64 %row, %wide.x
  %to = getelementptr float, ptr %out, i64 %to.index
  store float %more, ptr %to, align 4
  br label %end
end:
  ret void
}
