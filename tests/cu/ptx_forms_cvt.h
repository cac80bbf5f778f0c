/* The conversions of ptx_forms_match_an_h100.cu; see ptx_forms.h. */
#define FORMS_OF_CONVERSIONS(FORM)                                                                 \
    FORM(r, "cvt.rni.s32.f32 %0, %1;", r)                                                          \
    FORM(r, "cvt.rzi.u32.f32 %0, %1;", r)                                                          \
    FORM(r, "cvt.rmi.s32.f32 %0, %1;", r)                                                          \
    FORM(r, "cvt.rpi.u32.f32 %0, %1;", r)                                                          \
    FORM(l, "cvt.rni.s64.f32 %0, %1;", r)                                                          \
    FORM(l, "cvt.rzi.u64.f64 %0, %1;", l)                                                          \
    FORM(r, "cvt.rpi.s32.f64 %0, %1;", l)                                                          \
    FORM(h, "cvt.rzi.s16.f32 %0, %1;", r)                                                          \
    FORM(r, "{ .reg .s16 t; cvt.rzi.s8.f32 t, %1; cvt.s32.s16 %0, t; }", r)                        \
    FORM(f, "cvt.rni.f32.f32 %0, %1;", r)                                                          \
    FORM(f, "cvt.rpi.f32.f32 %0, %1;", r)                                                          \
    FORM(f, "cvt.rzi.ftz.f32.f32 %0, %1;", r)                                                      \
    FORM(d, "cvt.rmi.f64.f64 %0, %1;", l)                                                          \
    FORM(f, "cvt.sat.f32.f32 %0, %1;", r)                                                          \
    FORM(f, "cvt.rn.f32.s32 %0, %1;", r)                                                           \
    FORM(f, "cvt.rz.f32.s32 %0, %1;", r)                                                           \
    FORM(f, "cvt.rp.f32.u32 %0, %1;", r)                                                           \
    FORM(f, "cvt.rm.f32.s64 %0, %1;", l)                                                           \
    FORM(d, "cvt.rz.f64.u64 %0, %1;", l)                                                           \
    FORM(d, "cvt.rn.f64.u32 %0, %1;", r)                                                           \
    FORM(f, "cvt.rn.f32.f64 %0, %1;", l)                                                           \
    FORM(f, "cvt.rp.f32.f64 %0, %1;", l)                                                           \
    FORM(f, "cvt.rn.sat.f32.f64 %0, %1;", l)                                                       \
    FORM(d, "cvt.f64.f32 %0, %1;", r)                                                              \
    FORM(d, "cvt.ftz.f64.f32 %0, %1;", r)                                                          \
    FORM(r, "cvt.sat.s32.u32 %0, %1;", r)                                                          \
    FORM(r, "{ .reg .s16 t; cvt.sat.s8.s32 t, %1; cvt.s32.s16 %0, t; }", r)                        \
    FORM(r, "{ .reg .u16 t; cvt.sat.u8.s32 t, %1; cvt.u32.u16 %0, t; }", r)                        \
    FORM(r, "cvt.sat.u32.s64 %0, %1;", l)                                                          \
    FORM(l, "cvt.s64.s32 %0, %1;", r)                                                              \
    FORM(h, "cvt.rn.f16.f32 %0, %1;", r)                                                           \
    FORM(h, "cvt.rz.f16.f32 %0, %1;", r)                                                           \
    FORM(h, "cvt.rm.f16.f32 %0, %1;", r)                                                           \
    FORM(h, "cvt.rp.f16.s32 %0, %1;", r)                                                           \
    FORM(h, "cvt.rn.sat.f16.f32 %0, %1;", r)                                                       \
    FORM(h, "cvt.rn.relu.f16.f32 %0, %1;", r)                                                      \
    FORM(h, "cvt.rn.f16.f64 %0, %1;", l)                                                           \
    FORM(h, "cvt.rn.f16.u64 %0, %1;", l)                                                           \
    FORM(h, "cvt.rn.bf16.f32 %0, %1;", r)                                                          \
    FORM(h, "cvt.rz.bf16.f32 %0, %1;", r)                                                          \
    FORM(h, "cvt.rz.relu.bf16.f32 %0, %1;", r)                                                     \
    FORM(h, "cvt.rm.bf16.f32 %0, %1;", r)                                                          \
    FORM(h, "cvt.rn.bf16.s32 %0, %1;", r)                                                          \
    FORM(f, "cvt.f32.bf16 %0, %1;", h)                                                             \
    FORM(f, "cvt.f32.f16 %0, %1;", h)                                                              \
    FORM(d, "cvt.f64.f16 %0, %1;", h)                                                              \
    FORM(h, "cvt.rni.f16.f16 %0, %1;", h)                                                          \
    FORM(h, "cvt.rmi.bf16.bf16 %0, %1;", h)                                                        \
    FORM(r, "cvt.rzi.s32.f16 %0, %1;", h)                                                          \
    FORM(r, "cvt.rni.u32.bf16 %0, %1;", h)                                                         \
    FORM(r, "cvt.rn.f16x2.f32 %0, %1, %2;", r, r)                                                  \
    FORM(r, "cvt.rz.relu.f16x2.f32 %0, %1, %2;", r, r)                                             \
    FORM(r, "cvt.rn.bf16x2.f32 %0, %1, %2;", r, r)                                                 \
    FORM(r, "cvt.rz.bf16x2.f32 %0, %1, %2;", r, r)                                                 \
    FORM(r, "cvt.rna.tf32.f32 %0, %1;", r)                                                         \
    FORM(r, "cvt.rn.tf32.f32 %0, %1;", r)                                                          \
    FORM(r, "cvt.rz.relu.tf32.f32 %0, %1;", r)                                                     \
    FORM(h, "cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;", r, r)                                       \
    FORM(h, "cvt.rn.satfinite.relu.e5m2x2.f32 %0, %1, %2;", r, r)                                  \
    FORM(h, "cvt.rn.satfinite.e4m3x2.f16x2 %0, %1;", p)                                            \
    FORM(h, "cvt.rn.satfinite.e5m2x2.f16x2 %0, %1;", p)                                            \
    FORM(r, "cvt.rn.f16x2.e4m3x2 %0, %1;", h)                                                      \
    FORM(r, "cvt.rn.relu.f16x2.e5m2x2 %0, %1;", h)                                                 \
    FORM(r, "cvt.pack.sat.s16.s32 %0, %1, %2;", r, r)                                              \
    FORM(r, "cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;", r, r, r)
