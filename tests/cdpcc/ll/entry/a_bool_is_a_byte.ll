; RUN: cdpcc-opt --passes=collect,params,entry %s | FileCheck %s
; A bool parameter is one byte of the buffer. Any value except 0 is true, because the host may have
; written it with memset.
target triple = "x86_64-pc-linux-gnu"

@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]

; CHECK: define hidden void @cdp.thread.kernel(
; CHECK: [[BYTE:%.*]] = load i8, ptr
; CHECK-NEXT: [[SET:%.*]] = icmp ne i8 [[BYTE]], 0
; CHECK: zext i1 [[SET]] to i8
define void @kernel(i1 zeroext %b) !dbg !3 {
  %b.addr = alloca i8, align 1
  %byte = zext i1 %b to i8
  store i8 %byte, ptr %b.addr, align 1
    #dbg_declare(ptr %b.addr, !7, !DIExpression(), !8)
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
!6 = !DIBasicType(name: "bool", size: 8, encoding: DW_ATE_boolean)
!7 = !DILocalVariable(name: "b", arg: 1, scope: !3, file: !1, line: 7, type: !6)
!8 = !DILocation(line: 7, column: 1, scope: !3)
