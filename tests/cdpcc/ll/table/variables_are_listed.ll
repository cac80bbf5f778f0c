; RUN: cdpcc-opt --passes=table %s | FileCheck %s
; The runtime finds the variables that the host may name in a list of names, addresses and sizes.
; Constants are in their own pages, which the runtime makes read-only, so the last page is filled
; up. A __constant__ variable is not constant for the optimizer, because the host writes it.
target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: @plain.cdp = externally_initialized global i32 1
; CHECK-DAG: @table.cdp = externally_initialized global [4 x i32] zeroinitializer, section "cdp_const"
; CHECK-DAG: @local = global i32 2
@plain.cdp = externally_initialized global i32 1
@table.cdp = externally_initialized constant [4 x i32] zeroinitializer
@local = global i32 2

; CHECK-DAG: [[NAME:@cdp.string[.0-9]*]] = private unnamed_addr constant [6 x i8] c"plain\00"
; CHECK-DAG: private global <{ ptr, ptr, i64, i64 }> <{ ptr [[NAME]], ptr @plain.cdp, i64 4, i64 0 }>, section "cdp_vars"
; CHECK-DAG: private global <{ ptr, ptr, i64, i64 }> <{ ptr {{.*}}, ptr @table.cdp, i64 16, i64 1 }>, section "cdp_vars"
; CHECK-DAG: @cdp.constants.end = private global [4096 x i8] zeroinitializer, section
; CHECK-NOT: ptr @local,
