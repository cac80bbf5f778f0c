; RUN: awk '/^  ; 2500 stores/ { for (i = 0; i < 2500; i++) print "store volatile i32 " i ", ptr @to" } 1' %s >long.ll
; RUN: cdpcc-opt --passes=long-blocks long.ll | FileCheck %s
; A block of thousands of instructions is cut into pieces of a thousand. The last piece keeps its
; name, and so the phis of the blocks behind it.
target triple = "x86_64-pc-linux-gnu"
@to = global i32 0

; CHECK-LABEL: @long(
; CHECK: entry:
; CHECK: br label %[[FIRST:.+]]
; CHECK: [[FIRST]]:
; CHECK-NEXT: phi i32 [ 0, %entry ], [ %next, %loop ]
; CHECK: store volatile i32 999, ptr @to
; CHECK-NEXT: br label %loop
; CHECK: loop:
; CHECK-NEXT: store volatile i32 1000, ptr @to
; CHECK: br i1 %more, label %[[FIRST]], label %end
; CHECK: phi i32 [ %next, %loop ]
define i32 @long(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  ; 2500 stores
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %last = phi i32 [ %next, %loop ]
  ret i32 %last
}

; CHECK-LABEL: @short(
; CHECK-NOT: br
; CHECK: ret void
define void @short() {
  store volatile i32 1, ptr @to
  ret void
}
