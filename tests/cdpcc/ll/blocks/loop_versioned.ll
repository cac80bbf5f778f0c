; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; in[i / m * n + k]: the address is uniform if the quotient is uniform, which a test before the loop
; determines. So the loop is versioned.

; CHECK: loop: uniform, versioned by a test of its accesses
; CHECK: load of 4 bytes: uniform if the quotient is the same for the vector
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %m = call i32 @m(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %row = udiv i32 %g, %m
  %start = mul i32 %row, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi float [ 0.0, %0 ], [ %more, %loop ]
  %i = add i32 %start, %k
  %x = call float @get(ptr %in, i32 %i)
  %more = fadd float %sum, %x
  %next = add nuw nsw i32 %k, 1
  %goes.on = icmp slt i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  call void @set(ptr %out, i32 %g, float %more)
  ret void
}
