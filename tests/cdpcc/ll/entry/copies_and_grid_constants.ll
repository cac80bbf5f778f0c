; RUN: cdpcc-opt --passes=collect,params,entry %s | FileCheck %s
; For a class that is passed in memory, each thread gets a copy, because it may write to it. A
; __grid_constant__ class is const, so all threads use the object in the buffer.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%class = type { i64, i64, i64 }
@note = private constant [18 x i8] c"cdp.grid_constant\00"
@word = private constant [11 x i8] c"cdp.kernel\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @kernel, ptr @word, ptr @file, i32 1, ptr null }]

; CHECK: define hidden void @cdp.thread.kernel(ptr {{.*}}[[BUFFER:%[0-9a-z]+]])
; CHECK: [[FROM:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 0
; CHECK: [[COPY:%.*]] = alloca
; CHECK: call void @llvm.memcpy{{.*}}(ptr {{.*}}[[COPY]], ptr {{.*}}[[FROM]], i64 24
; CHECK: [[SHARED:%.*]] = getelementptr inbounds i8, ptr [[BUFFER]], i64 24
; CHECK-NOT: alloca
; CHECK-NOT: @llvm.var.annotation
; CHECK: call void @use(ptr [[COPY]], ptr [[SHARED]])
define void @kernel(ptr byval(%class) align 8 %a, ptr byval(%class) align 8 %b) !dbg !3 {
    #dbg_declare(ptr %a, !9, !DIExpression(), !11)
    #dbg_declare(ptr %b, !10, !DIExpression(), !11)
  call void @llvm.var.annotation.p0.p0(ptr %b, ptr @note, ptr @file, i32 1, ptr null)
  call void @use(ptr %a, ptr %b)
  ret void
}

declare void @use(ptr, ptr)
declare void @llvm.var.annotation.p0.p0(ptr, ptr, ptr, i32, ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "kernel", scope: !1, file: !1, line: 7, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{null, !6, !6}
!6 = !DICompositeType(tag: DW_TAG_structure_type, name: "class", file: !1, line: 1, size: 192, elements: !7)
!7 = !{!8}
!8 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !6, file: !1, line: 1, baseType: !12, size: 64)
!9 = !DILocalVariable(name: "a", arg: 1, scope: !3, file: !1, line: 7, type: !6)
!10 = !DILocalVariable(name: "b", arg: 2, scope: !3, file: !1, line: 7, type: !6)
!11 = !DILocation(line: 7, column: 1, scope: !3)
!12 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
