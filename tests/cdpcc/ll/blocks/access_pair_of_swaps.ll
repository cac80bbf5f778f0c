; RUN: cat %p %s | cdpcc-opt --print=shapes -march=x86-64-v4 - | FileCheck %s
; A phi joins the pairs that cmpxchg gives.  Vectors cannot hold pairs, so phis join their elements instead.  Two edges of a switch have one value.

; CHECK-NOT: refused
; CHECK: shapes of pairs
; CHECK-NOT: phi { i32, i1 }
; CHECK: varying:  %{{.*}} = phi i32 [ %{{.*}}, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK-NOT: phi { i32, i1 }
define void @cdp.thread.pairs(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %key = call i32 @global.x()
  %n = call i32 @n(ptr %params)
  %at = call ptr @element(ptr %in, i32 %key)
  %first = cmpxchg ptr %at, i32 0, i32 %key monotonic monotonic, align 4
  switch i32 %key, label %other [
    i32 1, label %join
    i32 5, label %join
  ]
other:
  %second = cmpxchg ptr %at, i32 3, i32 %n monotonic monotonic, align 4
  br label %join
join:
  %pair = phi { i32, i1 } [ %first, %0 ], [ %first, %0 ], [ %second, %other ]
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  %one = zext i1 %done to i32
  %sum = add i32 %found, %one
  %to = call ptr @element(ptr %out, i32 %key)
  store i32 %sum, ptr %to, align 4
  ret void
}
