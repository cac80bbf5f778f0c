; RUN: cat %p %s | cdpcc-opt --print=plan -march=x86-64-v4 - | FileCheck %s
; A lane that polls may wait for another lane of its vector, and that lane waits for it at the
; loop's end.

; CHECK: refused: a loop in it waits for what other threads do
define void @cdp.thread.spin(ptr noalias readonly align 64 %params) {
  %in = call ptr @in(ptr %params)
  %g = call i32 @global.x()
  br label %loop
loop:
  %x = load atomic i32, ptr %in acquire, align 4
  %waits = icmp ne i32 %x, %g
  br i1 %waits, label %loop, label %end
end:
  ret void
}
