; RUN: cdpcc-opt --passes=locals-list %s | FileCheck %s
; Of the variables that the optimizer leaves on the stack, only those whose address escapes are
; listed, just before it escapes. At that point the function has its frame. The list adds no code.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: @f
; CHECK: store i32 0, ptr %"local variable 'kept'"
; CHECK-NEXT: call void asm sideeffect {{.*}}.long 4{{.*}}'taken'{{.*}}(ptr elementtype(i32) %"local variable 'taken'")
; CHECK-NEXT: call void @use(ptr %"local variable 'taken'")
; CHECK-NOT: asm
; CHECK: ret void
define void @f() {
  %"local variable 'kept'" = alloca i32
  %"local variable 'taken'" = alloca i32
  %other = alloca i32
  store i32 0, ptr %"local variable 'kept'"
  call void @use(ptr %"local variable 'taken'")
  call void @use(ptr %other)
  ret void
}

declare void @use(ptr)
