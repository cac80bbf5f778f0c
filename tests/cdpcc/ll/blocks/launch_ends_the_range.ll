; RUN: cat %p %s | cdpcc-opt --passes=block-entries -march=x86-64-v4 - | FileCheck %s
; One call of the block entry runs several blocks, up to the first that launches.

@child.cdpk = external global i64
declare ptr @cdp_abi_cudaGetParameterBuffer(i64, i64)
declare i32 @cdp_abi_cudaLaunchDevice(ptr, ptr, i64, i32, i64, i32, i32, ptr)

; The entry notes that it calls the runtime, in has_called at offset 88 of the block.
; CHECK: define {{.*}}@cdp.one_row.some(
; CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %1, i64 88
; CHECK-NEXT: store i32 1, ptr %[[AT]]
; CHECK: call {{.*}}@cdp_abi_cudaGetParameterBuffer(
; CHECK: %[[AT:.*]] = getelementptr inbounds i8, ptr %1, i64 88
; CHECK-NEXT: store i32 1, ptr %[[AT]]
; CHECK: call {{.*}}@cdp_abi_cudaLaunchDevice(

; CHECK: define i32 @cdp.block.some(ptr %0, ptr %1, i32 %2)
; CHECK: %[[END:.*]] = add i32 %first, %2
; CHECK-NEXT: %[[AT:.*]] = getelementptr inbounds i8, ptr %1, i64 88
; CHECK-NEXT: store i32 0, ptr %[[AT]]
; CHECK: block:
; CHECK-NEXT: %x = phi i32 [ %first, %{{.*}} ], [ %[[NEXT:.*]], %block ]
; CHECK: call void @cdp.one_row.some(ptr %0, ptr %1, i32 %x)
; CHECK-NEXT: %[[NEXT]] = add i32 %x, 1
; CHECK-NEXT: %[[MORE:.*]] = icmp ne i32 %[[NEXT]], %[[END]]
; CHECK: %has_called = load i32
; CHECK-NEXT: %[[NONE:.*]] = icmp eq i32 %has_called, 0
; CHECK-NEXT: %[[GOES_ON:.*]] = and i1 %[[MORE]], %[[NONE]]
; CHECK-NEXT: br i1 %[[GOES_ON]], label %block, label %done
; CHECK: %[[COUNT:.*]] = sub i32 %[[NEXT]], %first
; CHECK-NEXT: ret i32 %[[COUNT]]
define void @cdp.thread.some(ptr noalias readonly align 64 %params) {
  %out = call ptr @out(ptr %params)
  %g = call i32 @global.x()
  %v = call float @get(ptr %out, i32 %g)
  %is = fcmp olt float %v, 7.0
  br i1 %is, label %launch, label %end
launch:
  %buffer = call ptr @cdp_abi_cudaGetParameterBuffer(i64 64, i64 8)
  store ptr %out, ptr %buffer, align 8
  %result = call i32 @cdp_abi_cudaLaunchDevice(ptr @child.cdpk, ptr %buffer, i64 4294967297, i32 1, i64 4294967328, i32 1, i32 0, ptr null)
  br label %end
end:
  ret void
}
