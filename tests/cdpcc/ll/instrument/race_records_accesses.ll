; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=race %s | FileCheck %s
; RUN: cdpcc-opt --passes=instrument,instrument-optimized %s | FileCheck %s --check-prefix=OFF
; --check=race: each access to memory that other threads may access is passed to the runtime, with a
; site of the user's line. The thread's own memory and constants are not. Fences are, with their scope.
target triple = "x86_64-pc-linux-gnu"

@variable = global i32 0
@constant = constant i32 7
@limit = global i32 0, section "cdp_const"

; CHECK: @[[TEXT:.*]] = private unnamed_addr constant [{{.*}}] c"t.cu\00"
; CHECK: @[[LOAD:.*]] = private externally_initialized global { ptr, ptr, ptr, ptr, i32, i32, i32, i32 } { ptr @[[TEXT]], ptr @{{.*}}, ptr @{{.*}}, ptr null, i32 4, i32 7, i32 0, i32 0 }, section "cdp_sites", align 8
; Inlined from a header of cdpcc: the line of the call.
; CHECK: @[[ADD:.*]] = private externally_initialized global {{.*}} i32 9, i32 3, i32 3, i32 0 }, section "cdp_sites"

; CHECK: Function Attrs: sanitize_thread
; CHECK-NEXT: define void @accesses(
; CHECK: call void @cdp_abi_race_load(ptr @[[LOAD]], ptr %p, i64 8)
; CHECK-NEXT: load i64, ptr %p
; CHECK: call void @cdp_abi_race_access(ptr @[[ADD]], ptr %q, i64 4)
; CHECK-NEXT: atomicrmw add ptr %q
; What an atomic operation reads is known after it.
; CHECK-NEXT: call void @cdp_abi_race_acquire(ptr %q)
; CHECK: call void @cdp_abi_race_access(ptr @{{.*}}, ptr %q, i64 24)
; CHECK: call void @cdp_abi_race_access(ptr @{{.*}}, ptr %p, i64 24)
; CHECK-NEXT: call void @llvm.memcpy
; CHECK: call void @cdp_abi_race_fence(i32 1)
; CHECK-NEXT: fence seq_cst
; CHECK: call void @cdp_abi_race_fence(i32 0)
; CHECK-NEXT: fence seq_cst
; CHECK: call void @cdp_abi_race_store(ptr @{{.*}}, ptr @variable, i64 4, i64 1)
; OFF-NOT: cdp_abi_race
; OFF-NOT: sanitize_thread
define void @accesses(ptr %p, ptr %q) !dbg !5 {
  %x = load i64, ptr %p, align 8, !dbg !8
  %y = atomicrmw add ptr %q, i32 1 monotonic, align 4, !dbg !9
  call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %p, i64 24, i1 false), !dbg !8
  fence seq_cst, !dbg !12
  fence seq_cst, !dbg !8
  store i32 1, ptr @variable, align 4, !dbg !8
  ret void, !dbg !8
}

; CHECK-LABEL: @own
; CHECK-NOT: cdp_abi_race
; CHECK: ret i32
define i32 @own(ptr byval(i32) %argument) {
  %slot = alloca i32
  store i32 1, ptr %slot, align 4
  %a = load i32, ptr %argument, align 4
  %b = load i32, ptr @constant, align 4
  %c = load i32, ptr @limit, align 4
  %d = add i32 %a, %b
  %e = add i32 %d, %c
  ret i32 %e
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "t.cu", directory: "/home/user")
!3 = !DIFile(filename: "/usr/include/cdpcc/cdp/atomic.h", directory: "/home/user")
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "k", file: !2, line: 3, type: !4, unit: !1)
!6 = distinct !DISubprogram(name: "atomicAdd", file: !3, line: 70, type: !4, unit: !1)
!7 = distinct !DISubprogram(name: "__threadfence_block", file: !3, line: 60, type: !4, unit: !1)
!8 = !DILocation(line: 4, column: 7, scope: !5)
!9 = !DILocation(line: 72, column: 1, scope: !6, inlinedAt: !10)
!10 = distinct !DILocation(line: 9, column: 3, scope: !5)
!11 = distinct !DILocation(line: 11, column: 3, scope: !5)
!12 = !DILocation(line: 61, column: 1, scope: !7, inlinedAt: !11)
