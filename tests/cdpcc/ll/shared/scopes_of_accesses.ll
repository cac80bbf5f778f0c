; RUN: cdpcc-opt --passes=collect,shared,mark-shared %s | FileCheck %s
; When variables are offsets in one piece of memory, alias analysis no longer knows that they do not
; overlap. So each access has the alias scope of its variable. An address that is stored has no
; scope.
target triple = "x86_64-pc-linux-gnu"

@shared_word = private constant [11 x i8] c"cdp.shared\00"
@file = private constant [5 x i8] c"a.cu\00"
@x = internal global [4 x i32] undef, align 4
@y = internal global [4 x i32] undef, align 4
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @x, ptr @shared_word, ptr @file, i32 3, ptr null },
  { ptr, ptr, ptr, i32, ptr } { ptr @y, ptr @shared_word, ptr @file, i32 4, ptr null }]

; CHECK: load i32, ptr {{.*}}, !alias.scope [[X:![0-9]+]]
; CHECK: store i32 {{.*}}, !alias.scope [[Y:![0-9]+]]
; CHECK: store ptr %x{{.*}}, ptr %p, align 8{{$}}
define internal void @use(i64 %i, ptr %p) {
  %at = getelementptr [4 x i32], ptr @x, i64 0, i64 %i
  %v = load i32, ptr %at
  store i32 %v, ptr @y
  store ptr @x, ptr %p
  ret void
}

; CHECK-DAG: [[X]] = !{[[XS:![0-9]+]]}
; CHECK-DAG: [[XS]] = !{!"cdp.variables.0", [[DOMAIN:![0-9]+]]}
; CHECK-DAG: [[DOMAIN]] = !{!"cdp.variables"}
; CHECK-DAG: [[Y]] = !{[[YS:![0-9]+]]}
; CHECK-DAG: [[YS]] = !{!"cdp.variables.1", [[DOMAIN]]}
