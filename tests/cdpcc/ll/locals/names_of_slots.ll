; RUN: cdpcc-opt --passes=locals %s | FileCheck %s
; RUN: cdpcc-opt --passes=locals -fsanitize=address %s | FileCheck %s --check-prefix=ASAN
; Stack slots get the names of the source's variables while the debug information has them. Reports
; print these names later. For AddressSanitizer, which has a list of its own, lower_locals_restore
; gives back the original names in the end.
target triple = "x86_64-pc-linux-gnu"

; CHECK: %"local variable 'count'" = alloca i32
; CHECK: %temporary = alloca i32
; CHECK: store i32 0, ptr %"local variable 'count'"
; ASAN: %"local variable 'count'" = alloca i32
define void @f() !dbg !3 {
  %slot = alloca i32
  %temporary = alloca i32
    #dbg_declare(ptr %slot, !7, !DIExpression(), !8)
  store i32 0, ptr %slot
  ret void
}

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
