; RUN: cdpcc-opt --passes=join-stores %s | FileCheck %s
; Stores to one address at the ends of the sides of a branch become one store. Those of other sides,
; to other addresses, of other types, volatile ones, and those before another access stay.
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; Two of three predecessors, with an address on each side. The phi is divided.
; CHECK-LABEL: @guarded
; CHECK: yes:
; CHECK-NOT: store
; CHECK: no:
; CHECK-NOT: store
; CHECK: joined:
; CHECK-NEXT: %[[VALUE:.*]] = phi i8 [ 0, %no ], [ 1, %yes ]
; CHECK-NEXT: %[[INNER:.*]] = phi i32 [ 5, %yes ], [ 6, %no ]
; CHECK-NEXT: zext i32 %i to i64
; CHECK-NEXT: %[[AT:.*]] = getelementptr i8, ptr %p, i64 %{{.*}}
; CHECK-NEXT: store i8 %[[VALUE]], ptr %[[AT]], align 1
; CHECK-NEXT: br label %end
; CHECK: end:
; CHECK-NEXT: phi i32 [ 4, %entry ], [ %[[INNER]], %joined ]
define i32 @guarded(ptr %p, i32 %i, i1 %in, i1 %c) {
entry:
  br i1 %in, label %work, label %end
work:
  br i1 %c, label %yes, label %no
yes:
  %x = zext i32 %i to i64
  %at = getelementptr i8, ptr %p, i64 %x
  store i8 1, ptr %at, align 1
  br label %end
no:
  %y = zext i32 %i to i64
  %other = getelementptr i8, ptr %p, i64 %y
  store i8 0, ptr %other, align 2
  br label %end
end:
  %r = phi i32 [ 4, %entry ], [ 5, %yes ], [ 6, %no ]
  ret i32 %r
}

; All predecessors. Earlier stores come first again.
; CHECK-LABEL: @two_each
; CHECK: end:
; CHECK-DAG: %[[P:.*]] = phi i32 [ 3, %no ], [ 1, %yes ]
; CHECK-DAG: %[[Q:.*]] = phi i32 [ 4, %no ], [ 2, %yes ]
; CHECK-NOT: phi
; CHECK: store i32 %[[P]], ptr %p, align 4
; CHECK-NEXT: store i32 %[[Q]], ptr %q, align 4
; CHECK-NEXT: ret void
define void @two_each(ptr %p, ptr %q, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p, align 4
  store i32 2, ptr %q, align 4
  br label %end
no:
  store i32 3, ptr %p, align 4
  store i32 4, ptr %q, align 4
  br label %end
end:
  ret void
}

; CHECK-LABEL: @three_sides
; CHECK: end:
; CHECK-NEXT: %[[VALUE:.*]] = phi float [ 0.0{{.*}}, %three ], [ %b, %two ], [ %a, %one ]
; CHECK-NEXT: store float %[[VALUE]], ptr %p, align 4
; CHECK-NEXT: ret void
define void @three_sides(ptr %p, i32 %c, float %a, float %b) {
  switch i32 %c, label %three [ i32 0, label %one
                                i32 1, label %two ]
one:
  store float %a, ptr %p, align 8
  br label %end
two:
  store float %b, ptr %p, align 4
  br label %end
three:
  store float 0.0, ptr %p, align 16
  br label %end
end:
  ret void
}

; CHECK-LABEL: @other_address
; CHECK: store i32 1, ptr %p
; CHECK: store i32 2, ptr %q
define void @other_address(ptr %p, ptr %q, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %end
no:
  store i32 2, ptr %q
  br label %end
end:
  ret void
}

; CHECK-LABEL: @other_type
; CHECK: store i32 1, ptr %p
; CHECK: store float 2.0{{.*}}, ptr %p
define void @other_type(ptr %p, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %end
no:
  store float 2.0, ptr %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: @volatile_store
; CHECK: store volatile i32 1, ptr %p
; CHECK: store i32 2, ptr %p
define void @volatile_store(ptr %p, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store volatile i32 1, ptr %p
  br label %end
no:
  store i32 2, ptr %p
  br label %end
end:
  ret void
}

; CHECK-LABEL: @atomic_store
; CHECK: store atomic i32 1, ptr %p
; CHECK: store atomic i32 2, ptr %p
define void @atomic_store(ptr %p, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store atomic i32 1, ptr %p monotonic, align 4
  br label %end
no:
  store atomic i32 2, ptr %p monotonic, align 4
  br label %end
end:
  ret void
}

declare void @f()

; CHECK-LABEL: @before_an_access
; CHECK: store i32 1, ptr %p
; CHECK: store i32 2, ptr %p
; CHECK: store i32 3, ptr %p
define i32 @before_an_access(ptr %p, ptr %q, i32 %c) {
  switch i32 %c, label %three [ i32 0, label %one
                                i32 1, label %two ]
one:
  store i32 1, ptr %p
  %l = load i32, ptr %q
  br label %end
two:
  store i32 2, ptr %p
  call void @f()
  br label %end
three:
  store i32 3, ptr %p
  br label %end
end:
  %r = phi i32 [ %l, %one ], [ 0, %two ], [ 1, %three ]
  ret i32 %r
}

; Indices that may differ where one of them wraps around.
; CHECK-LABEL: @other_flags
; CHECK: store i32 1, ptr %at
; CHECK: store i32 2, ptr %other
define void @other_flags(ptr %p, i64 %i, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %at = getelementptr inbounds i32, ptr %p, i64 %i
  store i32 1, ptr %at
  br label %end
no:
  %other = getelementptr i32, ptr %p, i64 %i
  store i32 2, ptr %other
  br label %end
end:
  ret void
}

; A loop's header gets no store.
; CHECK-LABEL: @loop
; CHECK: store i32 0, ptr %p
; CHECK: body:
; CHECK: store i32 %next, ptr %p
define void @loop(ptr %p, i32 %n) {
  store i32 0, ptr %p
  br label %body
body:
  %k = phi i32 [ 0, %0 ], [ %next, %latch ]
  %more = icmp slt i32 %k, %n
  br i1 %more, label %latch, label %end
latch:
  %next = add i32 %k, 1
  store i32 %next, ptr %p
  br label %body
end:
  ret void
}

; The sides lead to different blocks.
; CHECK-LABEL: @other_target
; CHECK: store i32 1, ptr %p
; CHECK: store i32 2, ptr %p
define i32 @other_target(ptr %p, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p
  br label %one
no:
  store i32 2, ptr %p
  br label %two
one:
  ret i32 1
two:
  ret i32 2
}

; All threads take one side: no store has a mask.
; CHECK-LABEL: @together
; CHECK: yes:
; CHECK-NEXT: store i32 1
; CHECK: no:
; CHECK-NEXT: store i32 2
define void @together(ptr %params, ptr %p) {
entry:
  %at = getelementptr i8, ptr %params, i64 8
  %n = load i32, ptr %at, align 4
  %c = icmp eq i32 %n, 0
  br i1 %c, label %yes, label %no
yes:
  store i32 1, ptr %p, align 4
  br label %end
no:
  store i32 2, ptr %p, align 4
  br label %end
end:
  ret void
}

; What the debugger knows of variables follows the phi.
; CHECK-LABEL: @recorded
; CHECK: end:
; CHECK-NEXT: phi i32 [ 2, %no ], [ 1, %yes ]
; CHECK-NEXT: #dbg_value
define void @recorded(ptr %p, i1 %c) !dbg !4 {
entry:
  br i1 %c, label %yes, label %no, !dbg !7
yes:
  store i32 1, ptr %p, align 4, !dbg !7
  br label %end, !dbg !7
no:
  store i32 2, ptr %p, align 4, !dbg !7
  br label %end, !dbg !7
end:
    #dbg_value(i32 0, !8, !DIExpression(), !7)
  ret void, !dbg !7
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "recorded", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!7 = !DILocation(line: 2, column: 1, scope: !4)
!8 = !DILocalVariable(name: "v", scope: !4, file: !1, line: 2, type: !5)
