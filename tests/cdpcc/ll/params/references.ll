; RUN: not cdpcc-opt --passes=collect,params %s 2>&1 | FileCheck %s
; A reference would be an address of the host. nvcc refuses it, Clang does not.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: parameter 1 of kernel 'kernel' is a reference: a kernel takes its parameters by value
@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]

define void @kernel(ptr %r) !dbg !3 {
  %r.addr = alloca ptr, align 8
  store ptr %r, ptr %r.addr, align 8
    #dbg_declare(ptr %r.addr, !8, !DIExpression(), !9)
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
!6 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !7, size: 64)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "r", arg: 1, scope: !3, file: !1, line: 7, type: !6)
!9 = !DILocation(line: 7, column: 1, scope: !3)
