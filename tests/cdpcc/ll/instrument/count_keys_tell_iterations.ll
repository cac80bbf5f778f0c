; RUN: cdpcc-opt --passes=instrument,instrument-optimized --count %s | FileCheck %s
; --count: accesses and conditional branches are passed to the runtime with a key. In a loop the key
; is made of the loop's slot, which has a new value in each iteration, and starts from the slot of
; the loop around it. So it does not depend on how often a lane went through the inner loop before.
target triple = "x86_64-pc-linux-gnu"

; CHECK: define void @cdp.thread.nested(
; CHECK: outer:
; CHECK: phi i1 [ false, %latch ], [ true, %start ]
; CHECK: store i64 %{{.*}}, ptr %[[O:.*]]
; CHECK: inner:
; CHECK: phi i1 [ false, %inner ], [ true, %outer ]
; CHECK: load i64, ptr %[[O]]
; CHECK: store i64 %{{.*}}, ptr %[[I:.*]]
; CHECK: load i64, ptr %[[I]]
; CHECK: call void @cdp_abi_count_access(ptr @{{.*}}, ptr %p, i64 4, i64 %{{.*}})
; CHECK-NEXT: load volatile i32, ptr %p
; CHECK: call void @cdp_abi_count_branch(ptr @{{.*}}, i32 %{{.*}}, i64 %{{.*}})
; CHECK-NEXT: br i1
; CHECK: latch:
; CHECK: load i64, ptr %[[O]]
; CHECK: call void @cdp_abi_count_call(
; CHECK-NEXT: call void @counted(
; CHECK: call void @cdp_abi_count_branch(
; CHECK: call void @cdp_abi_count_end()
; CHECK-NEXT: ret void
define void @cdp.thread.nested(ptr %params) {
start:
  %p = load ptr, ptr %params
  br label %outer
outer:
  %i = phi i32 [ 0, %start ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %n = load volatile i32, ptr %p
  %j.next = add i32 %j, 1
  %more = icmp slt i32 %j.next, %n
  br i1 %more, label %inner, label %latch
latch:
  call void @counted(ptr %p)
  %i.next = add i32 %i, 1
  %again = icmp slt i32 %i.next, 4
  br i1 %again, label %outer, label %end
end:
  ret void
}

; A function that is called gets the key of its call.
; CHECK: define void @counted(
; CHECK: call i64 @cdp_abi_count_start()
; CHECK: call void @cdp_abi_count_access(ptr @{{.*}}, ptr %p, i64 8
; A cycle with two entries is no loop: it has no slot.
; CHECK-NOT: phi i1
; CHECK: ret void
define void @counted(ptr %p) {
  %c = load volatile i64, ptr %p
  %to = icmp eq i64 %c, 0
  br i1 %to, label %a, label %b
a:
  %x = load volatile i64, ptr %p
  %out = icmp eq i64 %x, 0
  br i1 %out, label %end, label %b
b:
  br label %a
end:
  ret void
}
