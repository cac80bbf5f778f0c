; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; "Thread below 48" is uniform in each vector of 16 lanes. "Below 40" is not, because one vector has
; both results. The first thread of the vector is uniform in it, too.

; CHECK: vector: %whole = icmp {{.*}}, 48
; CHECK-NEXT: vector: %x = select
; CHECK: varying: %part = icmp {{.*}}, 40
; CHECK: vector: %above = icmp {{.*}}, 31
; CHECK: vector: %start = and
define void @cdp.thread.compare(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %t = call i32 @thread.x()
  %whole = icmp ult i32 %t, 48
  %x = select i1 %whole, i32 %n, i32 1
  call void @use(i32 %x)
  %part = icmp ult i32 %t, 40
  %y = select i1 %part, i32 %n, i32 2
  call void @use(i32 %y)
  %above = icmp ugt i32 %t, 31
  %z = select i1 %above, i32 %n, i32 3
  call void @use(i32 %z)
  %start = and i32 %t, -16
  call void @use(i32 %start)
  ret void
}
