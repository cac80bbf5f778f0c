; RUN: cdpcc-opt --passes=collect,params %s | FileCheck %s --check-prefix=FINE
; RUN: not cdpcc-opt --passes=collect,params --cdp=1 %s 2>&1 | FileCheck %s
; The maximal size of a kernel's parameters. The toolkits of the first generation accept 4096 bytes.
target triple = "x86_64-pc-linux-gnu"

; FINE: define void @kernel
; CHECK: error: the parameters of kernel 'kernel' take 4104 bytes; at most 4096 are allowed
%class = type { [513 x i64] }
@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]

define void @kernel(ptr byval(%class) align 8 %a) !dbg !3 {
    #dbg_declare(ptr %a, !8, !DIExpression(), !9)
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null, !6}
!6 = !DICompositeType(tag: DW_TAG_structure_type, name: "class", file: !1, line: 1, size: 32832, elements: !7)
!7 = !{!10}
!8 = !DILocalVariable(name: "a", arg: 1, scope: !3, file: !1, line: 7, type: !6)
!9 = !DILocation(line: 7, column: 1, scope: !3)
!10 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !6, file: !1, line: 1, baseType: !11, size: 64)
!11 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
