; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; What threads load before a branch and use after it is in registers at once, for each vector.

; CHECK: kernel few: plan for blocks of one row: 16 lanes, 4 vectors at a time
define void @cdp.thread.few(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %a = call float @get(ptr %in, i32 %i)
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %end
work:
  %s = fmul float %a, %a
  call void @set(ptr %in, i32 %i, float %a)
  call void @set(ptr %out, i32 %i, float %s)
  br label %end
end:
  ret void
}

; CHECK: kernel many: plan for blocks of one row: 16 lanes, 1 vector at a time
define void @cdp.thread.many(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %i = call i32 @global.x()
  %i0 = add nuw nsw i32 %i, 0
  %a0 = call float @get(ptr %in, i32 %i0)
  %i1 = add nuw nsw i32 %i, 64
  %a1 = call float @get(ptr %in, i32 %i1)
  %i2 = add nuw nsw i32 %i, 128
  %a2 = call float @get(ptr %in, i32 %i2)
  %i3 = add nuw nsw i32 %i, 192
  %a3 = call float @get(ptr %in, i32 %i3)
  %i4 = add nuw nsw i32 %i, 256
  %a4 = call float @get(ptr %in, i32 %i4)
  %i5 = add nuw nsw i32 %i, 320
  %a5 = call float @get(ptr %in, i32 %i5)
  %i6 = add nuw nsw i32 %i, 384
  %a6 = call float @get(ptr %in, i32 %i6)
  %i7 = add nuw nsw i32 %i, 448
  %a7 = call float @get(ptr %in, i32 %i7)
  %i8 = add nuw nsw i32 %i, 512
  %a8 = call float @get(ptr %in, i32 %i8)
  %i9 = add nuw nsw i32 %i, 576
  %a9 = call float @get(ptr %in, i32 %i9)
  %i10 = add nuw nsw i32 %i, 640
  %a10 = call float @get(ptr %in, i32 %i10)
  %i11 = add nuw nsw i32 %i, 704
  %a11 = call float @get(ptr %in, i32 %i11)
  %i12 = add nuw nsw i32 %i, 768
  %a12 = call float @get(ptr %in, i32 %i12)
  %i13 = add nuw nsw i32 %i, 832
  %a13 = call float @get(ptr %in, i32 %i13)
  %i14 = add nuw nsw i32 %i, 896
  %a14 = call float @get(ptr %in, i32 %i14)
  %i15 = add nuw nsw i32 %i, 960
  %a15 = call float @get(ptr %in, i32 %i15)
  %i16 = add nuw nsw i32 %i, 1024
  %a16 = call float @get(ptr %in, i32 %i16)
  %i17 = add nuw nsw i32 %i, 1088
  %a17 = call float @get(ptr %in, i32 %i17)
  %c = icmp slt i32 %i, %n
  br i1 %c, label %work, label %end
work:
  call void @set(ptr %out, i32 %i0, float %a0)
  call void @set(ptr %out, i32 %i1, float %a1)
  call void @set(ptr %out, i32 %i2, float %a2)
  call void @set(ptr %out, i32 %i3, float %a3)
  call void @set(ptr %out, i32 %i4, float %a4)
  call void @set(ptr %out, i32 %i5, float %a5)
  call void @set(ptr %out, i32 %i6, float %a6)
  call void @set(ptr %out, i32 %i7, float %a7)
  call void @set(ptr %out, i32 %i8, float %a8)
  call void @set(ptr %out, i32 %i9, float %a9)
  call void @set(ptr %out, i32 %i10, float %a10)
  call void @set(ptr %out, i32 %i11, float %a11)
  call void @set(ptr %out, i32 %i12, float %a12)
  call void @set(ptr %out, i32 %i13, float %a13)
  call void @set(ptr %out, i32 %i14, float %a14)
  call void @set(ptr %out, i32 %i15, float %a15)
  call void @set(ptr %out, i32 %i16, float %a16)
  call void @set(ptr %out, i32 %i17, float %a17)
  %s0 = fadd float %a0, %a1
  %s1 = fadd float %s0, %a2
  %s2 = fadd float %s1, %a3
  %s3 = fadd float %s2, %a4
  %s4 = fadd float %s3, %a5
  %s5 = fadd float %s4, %a6
  %s6 = fadd float %s5, %a7
  %s7 = fadd float %s6, %a8
  %s8 = fadd float %s7, %a9
  %s9 = fadd float %s8, %a10
  %s10 = fadd float %s9, %a11
  %s11 = fadd float %s10, %a12
  %s12 = fadd float %s11, %a13
  %s13 = fadd float %s12, %a14
  %s14 = fadd float %s13, %a15
  %s15 = fadd float %s14, %a16
  %s16 = fadd float %s15, %a17
  call void @set(ptr %in, i32 %i, float %s16)
  br label %end
end:
  %r = phi float [ %s16, %work ], [ %a0, %0 ]
  %t1 = fadd float %a1, %r
  call void @set(ptr %in, i32 %i1, float %t1)
  %t2 = fadd float %a2, %r
  call void @set(ptr %in, i32 %i2, float %t2)
  %t3 = fadd float %a3, %r
  call void @set(ptr %in, i32 %i3, float %t3)
  %t4 = fadd float %a4, %r
  call void @set(ptr %in, i32 %i4, float %t4)
  %t5 = fadd float %a5, %r
  call void @set(ptr %in, i32 %i5, float %t5)
  %t6 = fadd float %a6, %r
  call void @set(ptr %in, i32 %i6, float %t6)
  %t7 = fadd float %a7, %r
  call void @set(ptr %in, i32 %i7, float %t7)
  %t8 = fadd float %a8, %r
  call void @set(ptr %in, i32 %i8, float %t8)
  %t9 = fadd float %a9, %r
  call void @set(ptr %in, i32 %i9, float %t9)
  %t10 = fadd float %a10, %r
  call void @set(ptr %in, i32 %i10, float %t10)
  %t11 = fadd float %a11, %r
  call void @set(ptr %in, i32 %i11, float %t11)
  %t12 = fadd float %a12, %r
  call void @set(ptr %in, i32 %i12, float %t12)
  %t13 = fadd float %a13, %r
  call void @set(ptr %in, i32 %i13, float %t13)
  %t14 = fadd float %a14, %r
  call void @set(ptr %in, i32 %i14, float %t14)
  %t15 = fadd float %a15, %r
  call void @set(ptr %in, i32 %i15, float %t15)
  %t16 = fadd float %a16, %r
  call void @set(ptr %in, i32 %i16, float %t16)
  %t17 = fadd float %a17, %r
  call void @set(ptr %in, i32 %i17, float %t17)
  ret void
}
