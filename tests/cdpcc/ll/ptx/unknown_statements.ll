; RUN: not cdpcc-opt --passes=ptx %s 2>&1 | FileCheck %s --implicit-check-not=error:
; The error for an unknown statement prints it as in the source: with its operands as %0, on one
; line. A statement with too few operands is unknown, too.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: inline PTX 'wgmma.fence.sync.aligned' is not supported
define void @unknown() {
  call void asm "wgmma.fence.sync.aligned;", ""()
  ret void
}

; CHECK: error: inline PTX 'add.u32 %0, %1' is not supported
define i32 @short(i32 %a) {
  %x = call i32 asm "add.u32   $0,\0A $1;", "=r,r"(i32 %a)
  ret i32 %x
}

; Reductions of an engine exist only for some types, unlike those of a thread.
; CHECK: error: inline PTX 'cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%0], [%1], 64' is not supported
define void @extreme_of_floats(i64 %to, i32 %from) {
  call void asm "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [$0], [$1], 64;", "l,r"(i64 %to, i32 %from)
  ret void
}

; CHECK: error: inline PTX 'cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%0], [%1], 64' is not supported
define void @sum_of_halves_without_noftz(i64 %to, i32 %from) {
  call void asm "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [$0], [$1], 64;", "l,r"(i64 %to, i32 %from)
  ret void
}

; CHECK: error: inline PTX 'cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u64 [%0], [%1], 64' is not supported
define void @wide_step(i64 %to, i32 %from) {
  call void asm "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u64 [$0], [$1], 64;", "l,r"(i64 %to, i32 %from)
  ret void
}

; CHECK: error: inline PTX 'cp.reduce.async.bulk.global.shared::cta.bulk_group.and.u32 [%0], [%1], 64' is not supported
define void @logic_of_numbers(i64 %to, i32 %from) {
  call void asm "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.u32 [$0], [$1], 64;", "l,r"(i64 %to, i32 %from)
  ret void
}

; CHECK: error: inline PTX 'cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [%0], [%1], 64, [%2]' is not supported
define void @sum_of_floats_in_shared(i32 %to, i32 %from, i32 %b) {
  call void asm "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.f32 [$0], [$1], 64, [$2];", "r,r,r"(i32 %to, i32 %from, i32 %b)
  ret void
}

; CHECK: error: inline PTX 'red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b64 [%0], %1, [%2]' is not supported
define void @wide_logic(i32 %to, i64 %value, i32 %b) {
  call void asm "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b64 [$0], $1, [$2];", "r,l,r"(i32 %to, i64 %value, i32 %b)
  ret void
}

; A vector has at most 128 bits.
; CHECK: error: inline PTX 'st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [%0], {%1, %1, %1, %1}, [%2]' is not supported
define void @wide_vector(i32 %to, i64 %value, i32 %b) {
  call void asm "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.b64 [$0], {$1, $1, $1, $1}, [$2];", "r,l,r"(i32 %to, i64 %value, i32 %b)
  ret void
}

; A tensor has as many coordinates as its instruction has dimensions.
; CHECK: error: inline PTX 'cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, 0}], [%0]' is not supported
define void @tensor_without_a_coordinate(i32 %to, i64 %map, i32 %x) {
  call void asm "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [$0], [$1, {$2, 0}], [$0];", "r,l,r"(i32 %to, i64 %map, i32 %x)
  ret void
}

; CHECK: error: inline PTX 'cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%0], [%1, {0, 0, 0, 0}], [%0], {0}' is not supported
define void @convolution_without_an_offset(i32 %to, i64 %map) {
  call void asm "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [$0], [$1, {0, 0, 0, 0}], [$0], {0};", "r,l"(i32 %to, i64 %map)
  ret void
}

; Only fetches of textures have a predicate behind a vector, and offsets for each coordinate.
; CHECK: error: inline PTX 'ld.global.v2.u32 {%0, %1}|p, [%2]' is not supported
define { i32, i32 } @vector_and_predicate(i64 %p) {
  %x = call { i32, i32 } asm "{ .reg .pred p; ld.global.v2.u32 {$0, $1}|p, [$2]; }", "=r,=r,l"(i64 %p)
  ret { i32, i32 } %x
}

; CHECK: error: inline PTX 'tex.2d.v2.f16x2.f32 {%0, %1}, [%2, {%3, %3}], {1}' is not supported
define { i32, i32 } @short_offsets(i64 %t, float %x) {
  %r = call { i32, i32 } asm "tex.2d.v2.f16x2.f32 {$0, $1}, [$2, {$3, $3}], {1};", "=r,=r,l,f"(i64 %t, float %x)
  ret { i32, i32 } %r
}

; CHECK: error: inline PTX 'tex.cube.v2.f16x2.f32 {%0, %1}, [%2, {%3, %3, %3, %3}], {1, 1, 1}' is not supported
define { i32, i32 } @offsets_of_a_cube(i64 %t, float %x) {
  %r = call { i32, i32 } asm "tex.cube.v2.f16x2.f32 {$0, $1}, [$2, {$3, $3, $3, $3}], {1, 1, 1};", "=r,=r,l,f"(i64 %t, float %x)
  ret { i32, i32 } %r
}
