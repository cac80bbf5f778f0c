; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; If a test holds, x % width is contiguous and x / width is uniform.

; CHECK: load of 4 bytes: contiguous if the remainder does not wrap around within the vector
; CHECK: load of 8 bytes: uniform if the quotient is the same for the vector
define void @cdp.thread.around(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %wide = sext i32 %g to i64
  %width = sext i32 %n to i64
  %column = urem i64 %wide, %width
  %column.at = getelementptr float, ptr %in, i64 %column
  %x = load float, ptr %column.at, align 4
  %row = udiv i64 %wide, %width
  %row.at = getelementptr double, ptr %in, i64 %row
  %y = load double, ptr %row.at, align 8
  %narrow = fptrunc double %y to float
  %sum = fadd float %x, %narrow
  call void @set(ptr %out, i32 %g, float %sum)
  ret void
}
