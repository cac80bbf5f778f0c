; RUN: cdpcc-opt --passes=pointers %s 2>&1 | FileCheck %s
; RUN: cdpcc-opt --passes=pointers -Wno-cdp-local-pointer %s 2>&1 | FileCheck %s --check-prefix=OFF
; A child is another grid and cannot use a pointer to a local variable of its parent. The pass finds
; such a pointer through functions and slots, and its message names the variable. A pointer to
; global memory is correct.
target triple = "x86_64-pc-linux-gnu"

; CHECK: warning: pointer to local variable 'count' passed to child kernel 'child'
; CHECK: note: 'count' declared here
; CHECK-NOT: warning:
; OFF-NOT: warning:
@variable = global i32 0

define void @f() !dbg !3 {
  %slot = alloca i32
  %p = alloca ptr
    #dbg_declare(ptr %slot, !7, !DIExpression(), !8)
  store ptr %slot, ptr %p
  %q = load ptr, ptr %p
  call void @start(ptr %q), !dbg !8
  call void @start(ptr @variable), !dbg !8
  ret void
}

define internal void @start(ptr %p) {
  %buffer = call ptr @cudaGetParameterBufferV2(ptr @child)
  store ptr %p, ptr %buffer
  %status = call i32 @cudaLaunchDeviceV2(ptr %buffer, ptr null)
  ret void
}

declare void @child(ptr)
declare ptr @cudaGetParameterBufferV2(ptr)
declare i32 @cudaLaunchDeviceV2(ptr, ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocalVariable(name: "count", scope: !3, file: !1, line: 8, type: !6)
!8 = !DILocation(line: 8, column: 7, scope: !3)
