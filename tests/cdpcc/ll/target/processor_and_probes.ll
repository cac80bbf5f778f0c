; RUN: cdpcc-opt --passes=target -march=x86-64-v4 %s | FileCheck %s
; Every function is for the requested processor and not for the front end's baseline. It touches
; each page of its frame, so that a large frame hits the guard page of its fiber's stack. Only block
; entries use AVX-512.
target triple = "x86_64-pc-linux-gnu"

; CHECK: define void @thread() [[THREAD:#[0-9]+]]
define void @thread() "target-cpu"="x86-64" "tune-cpu"="generic" {
  ret void
}

; CHECK: define void @block() [[BLOCK:#[0-9]+]]
define void @block() "prefer-vector-width"="512" {
  ret void
}

; CHECK: declare void @declared(){{$}}
declare void @declared()
; CHECK: attributes [[THREAD]] = { "probe-stack"="inline-asm" "target-cpu"="x86-64-v4" "target-features"="{{.*}}-avx512f" }
; CHECK: attributes [[BLOCK]] = { "prefer-vector-width"="512" "probe-stack"="inline-asm" "target-cpu"="x86-64-v4" "target-features" }
