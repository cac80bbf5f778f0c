; RUN: cdpcc-opt --passes=collect,params,entry %s | FileCheck %s
; The thread entry loads the parameters from the launch's buffer, and then has the kernel's body.
; Each parameter is at the next offset that its alignment allows. Attributes describe what is known
; of the buffer.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]

; CHECK: define hidden void @cdp.thread.kernel(ptr noalias noundef readonly align 64 [[BUFFER:%.*]])
; CHECK: [[FIRST:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 0
; CHECK-NEXT: [[N:%.*]] = load i32, ptr [[FIRST]], align 64
; CHECK: [[SECOND:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 8
; CHECK-NEXT: [[P:%.*]] = load ptr, ptr [[SECOND]], align 8
; CHECK: store i32 [[N]], ptr %n.addr
; CHECK: store ptr [[P]], ptr %p.addr
define void @kernel(i32 %n, ptr %p) !dbg !3 {
  %n.addr = alloca i32, align 4
  %p.addr = alloca ptr, align 8
  store i32 %n, ptr %n.addr, align 4
    #dbg_declare(ptr %n.addr, !9, !DIExpression(), !11)
  store ptr %p, ptr %p.addr, align 8
    #dbg_declare(ptr %p.addr, !10, !DIExpression(), !11)
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null, !6, !7}
!6 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !8, size: 64)
!8 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!9 = !DILocalVariable(name: "n", arg: 1, scope: !3, file: !1, line: 7, type: !6)
!10 = !DILocalVariable(name: "p", arg: 2, scope: !3, file: !1, line: 7, type: !7)
!11 = !DILocation(line: 7, column: 1, scope: !3)
