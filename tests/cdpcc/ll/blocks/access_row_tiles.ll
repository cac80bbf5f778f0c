; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; Each lane reads a row of its own. The next iterations read what is next to it, so the rows are read
; in tiles: 16 columns of 16 lanes, masked where the rows end. A store to the memory of a row is
; tested; a store that moves from iteration to iteration excludes tiles.

; CHECK: kernel rows: plan
; CHECK: load of 4 bytes: gather, its rows are read in tiles
; CHECK: kernel bytes: plan
; CHECK: load of 1 byte: gather, its rows are read in tiles
; CHECK: kernel stores_to_other: plan
; CHECK: load of 4 bytes: gather:
define void @cdp.thread.rows(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %start = mul i32 %x, %n
  %wide.x = sext i32 %x to i64
  %to = getelementptr float, ptr %out, i64 %wide.x
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %index = add i32 %start, %k
  %wide = zext i32 %index to i64
  %at = getelementptr float, ptr %in, i64 %wide
  %a = load float, ptr %at, align 4
  store float %a, ptr %to, align 4
  %next = add i32 %k, 1
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
define void @cdp.thread.bytes(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %start = mul i32 %x, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %sum = phi i8 [ 0, %0 ], [ %more, %loop ]
  %index = add i32 %start, %k
  %wide = zext i32 %index to i64
  %at = getelementptr i8, ptr %in, i64 %wide
  %a = load i8, ptr %at, align 1
  %more = add i8 %sum, %a
  %next = add i32 %k, 1
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  %wide.x = sext i32 %x to i64
  %to = getelementptr i8, ptr %out, i64 %wide.x
  store i8 %more, ptr %to, align 1
  ret void
}
define void @cdp.thread.stores_to_other(ptr noalias readonly align 64 %params) {
  %n = call i32 @n(ptr %params)
  %in = call ptr @in(ptr %params)
  %out = call ptr @out(ptr %params)
  %x = call i32 @global.x()
  %start = mul i32 %x, %n
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %next, %loop ]
  %index = add i32 %start, %k
  %wide = zext i32 %index to i64
  %at = getelementptr float, ptr %in, i64 %wide
  %to = getelementptr float, ptr %out, i32 %k
  %a = load float, ptr %at, align 4
  store float %a, ptr %to, align 4
  %next = add i32 %k, 1
  %goes.on = icmp ult i32 %next, %n
  br i1 %goes.on, label %loop, label %end
end:
  ret void
}
