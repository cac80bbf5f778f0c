; RUN: not cdpcc-opt --passes=check %s 2>&1 | FileCheck %s --strict-whitespace
; Errors have Clang's form, with file, line and column from the debug information. Without debug
; information they begin with the program's name.
target triple = "x86_64-pc-linux-gnu"

@one = externally_initialized constant i32 0

; CHECK: {{^}}/a/b.cu:8:7: error: device code writes to the __constant__ variable 'one'{{$}}
define void @f() !dbg !3 {
  store i32 1, ptr @one, !dbg !6
  ret void
}

; CHECK: {{^}}cdpcc: error: device code writes to the __constant__ variable 'one'{{$}}
define void @g() {
  store i32 1, ptr @one
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "b.cu", directory: "/a")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null}
!6 = !DILocation(line: 8, column: 7, scope: !3)
