; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=memory %s | FileCheck %s
; RUN: cdpcc-opt --passes=instrument,instrument-optimized --check=space %s | FileCheck %s --check-prefix=OFF
; --check=memory: a call that may run its caller again is counted, with the caller's return address
; and its arrays. A call at the end of its function is not, nor is one of another function.
target triple = "x86_64-pc-linux-gnu"

; OFF-NOT: cdp_abi_recurse

; CHECK-LABEL: define i32 @array
; CHECK: call void @cdp_abi_recurse(ptr @{{.*}}, i64 72)
; CHECK-NEXT: call i32 @other
; CHECK-NEXT: call void @cdp_abi_recurse_back(i64 72)
; CHECK-NEXT: call i32 @leaf
; CHECK-NEXT: add
define i32 @array(i32 %n) {
  %"local variable 'a'" = alloca [16 x i32]
  %"local variable 'x'" = alloca i32
  %shadow = alloca [16 x i8]
  %r = call i32 @other(i32 %n)
  %s = call i32 @leaf(i32 %n)
  %sum = add i32 %r, %s
  ret i32 %sum
}

; CHECK-LABEL: define i32 @other
; CHECK-NEXT: call i32 @array
; CHECK-NEXT: ret
define i32 @other(i32 %n) {
  %r = call i32 @array(i32 %n)
  ret i32 %r
}

; CHECK-LABEL: define i32 @leaf
; CHECK-NEXT: ret
define i32 @leaf(i32 %n) {
  ret i32 %n
}
