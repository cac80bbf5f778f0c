; RUN: cdpcc-opt --passes=collect,symbol,table %s | FileCheck %s
; Host and device share a __managed__ variable, so it keeps its name. Device code of other units
; refers to it by the name with the suffix. A word in the object tells the driver that the host side
; must be joined.
target triple = "x86_64-pc-linux-gnu"

@word = private constant [12 x i8] c"cdp.managed\00"
@file = private constant [5 x i8] c"a.cu\00"
@llvm.global.annotations = appending global [1 x { ptr, ptr, ptr, i32, ptr }] [
  { ptr, ptr, ptr, i32, ptr } { ptr @shared_by_both, ptr @word, ptr @file, i32 1, ptr null }]
; CHECK-DAG: @shared_by_both = externally_initialized global i32 3
@shared_by_both = externally_initialized global i32 3
; CHECK-DAG: [[MARK:@cdp.string[.0-9]*]] = private unnamed_addr constant [12 x i8] c"cdp.managed\00"
; CHECK-DAG: @llvm.used = {{.*}}ptr [[MARK]]
; CHECK-DAG: @shared_by_both.cdp = alias i32, ptr @shared_by_both
; CHECK-DAG: ptr @shared_by_both, i64 4, i64 2 }>
