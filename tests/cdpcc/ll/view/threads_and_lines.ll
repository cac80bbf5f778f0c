; RUN: cdpcc-opt --passes=view -G %s | FileCheck %s
; RUN: cdpcc-opt --passes=view %s | FileCheck %s --check-prefix=OFF
; In code compiled for debugging, threadIdx and similar objects are variables of every function. An
; inlined call gets a nop, so that a breakpoint on its line has an address.
target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define void @f
; CHECK: #dbg_declare(ptr %{{.*}}, [[THREAD:![0-9]+]], !DIExpression(DW_OP_deref)
; CHECK: call void asm sideeffect "nop", ""(), !dbg [[PLACE:![0-9]+]]
; CHECK-NEXT: call void @part(), !dbg [[PLACE]]
; OFF-NOT: #dbg_declare
; OFF-NOT: nop
define void @f() !dbg !3 {
  call void @part(), !dbg !8
  ret void
}

; CHECK-LABEL: define internal void @part
; CHECK-NEXT: ret void
define internal void @part() alwaysinline !dbg !9 {
  ret void
}

; CHECK: [[THREAD]] = !DILocalVariable(name: "threadIdx"

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
!9 = distinct !DISubprogram(name: "part", scope: !1, file: !1, line: 9, type: !4, unit: !0, spFlags: DISPFlagDefinition)
