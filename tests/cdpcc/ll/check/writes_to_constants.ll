; RUN: not cdpcc-opt --passes=check %s 2>&1 | FileCheck %s --implicit-check-not=error:
; Only the host may write constants. The pass finds stores, atomic operations and copies, through
; offsets and casts. The optimizer would silently remove these writes, because it assumes that the
; variables are constant.
target triple = "x86_64-pc-linux-gnu"

@table = addrspace(4) externally_initialized constant [4 x i32] zeroinitializer
@one = externally_initialized constant i32 0
@literal = private constant i32 7

; CHECK: error: device code writes to the __constant__ variable 'one'
define void @store() {
  store i32 1, ptr @one
  ret void
}

; CHECK: error: device code writes to the __constant__ variable 'table'
define void @offset(i64 %i) {
  %p = addrspacecast ptr addrspace(4) @table to ptr
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  ret void
}

; CHECK: error: device code writes to the __constant__ variable 'table'
define void @constant_offset() {
  store i32 1, ptr getelementptr (i32, ptr addrspacecast (ptr addrspace(4) @table to ptr), i64 1)
  ret void
}

; CHECK: error: device code writes to the __constant__ variable 'one'
define void @atomic() {
  %old = atomicrmw add ptr @one, i32 1 monotonic
  ret void
}

; CHECK: error: device code writes to the __constant__ variable 'one'
define void @copy(ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr @one, ptr %from, i64 4, i1 false)
  ret void
}

; Reads are allowed. Constants that the compiler has made are no __constant__ variables.
define i32 @read(ptr %to) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr @one, i64 4, i1 false)
  store i32 0, ptr @literal
  %x = load i32, ptr @one
  ret i32 %x
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
