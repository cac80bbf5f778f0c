/* The forms of inline PTX that ptx_forms_match_an_h100.cu evaluates, each over a table of operands.
 *
 * FORM(RESULT, TEXT, OPERANDS...): r is 32 bits, f a float, l 64 bits, d a double, h 16 bits, p two
 * 16-bit floats, s a shift or a length. As results, f and d have one NaN only. */
#define FORMS_OF_CARRIES(FORM)                                                                     \
    FORM(r, "{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.u32 %0, %3, 0; }", r, r, r)                 \
    FORM(r, "{ .reg .u32 t; add.cc.u32 t, %1, %2; addc.cc.u32 t, %2, %3; addc.u32 %0, 0, 0; }", r, \
         r, r)                                                                                     \
    FORM(r, "{ .reg .u32 t; sub.cc.u32 t, %1, %2; subc.u32 %0, %3, %1; }", r, r, r)                \
    FORM(r, "{ .reg .u32 t; sub.cc.s32 t, %1, %2; subc.cc.s32 t, %3, %1; subc.u32 %0, 0, 0; }", r, \
         r, r)                                                                                     \
    FORM(r, "{ .reg .u32 t; mad.lo.cc.u32 t, %1, %2, %3; madc.hi.u32 %0, %1, %2, %3; }", r, r, r)  \
    FORM(r,                                                                                        \
         "{ .reg .u32 t; mad.hi.cc.u32 t, %1, %2, %3; madc.lo.cc.u32 t, %2, %3, %1;"               \
         " addc.u32 %0, 0, t; }",                                                                  \
         r, r, r)                                                                                  \
    FORM(r, "{ .reg .s32 t; mad.lo.cc.s32 t, %1, %2, %3; madc.hi.s32 %0, %1, %2, %3; }", r, r, r)  \
    FORM(l, "{ .reg .u64 t; add.cc.u64 t, %1, %2; addc.u64 %0, %3, 0; }", l, l, l)                 \
    FORM(l, "{ .reg .u64 t; sub.cc.u64 t, %1, %2; subc.u64 %0, %3, 0; }", l, l, l)                 \
    FORM(l, "{ .reg .u64 t; mad.lo.cc.u64 t, %1, %2, %3; madc.hi.u64 %0, %1, %2, %3; }", l, l, l)

#define FORMS_OF_INTEGERS(FORM)                                                                    \
    FORM(r, "add.sat.s32 %0, %1, %2;", r, r)                                                       \
    FORM(r, "sub.sat.s32 %0, %1, %2;", r, r)                                                       \
    FORM(r, "mad.hi.sat.s32 %0, %1, %2, %3;", r, r, r)                                             \
    FORM(l, "mul.hi.u64 %0, %1, %2;", l, l)                                                        \
    FORM(l, "mul.hi.s64 %0, %1, %2;", l, l)                                                        \
    FORM(l, "mad.wide.s32 %0, %1, %2, %3;", r, r, l)                                               \
    FORM(r, "mul.wide.u16 %0, %1, %2;", h, h)                                                      \
    FORM(r, "mul24.lo.u32 %0, %1, %2;", r, r)                                                      \
    FORM(r, "mul24.hi.s32 %0, %1, %2;", r, r)                                                      \
    FORM(r, "mad24.lo.s32 %0, %1, %2, %3;", r, r, r)                                               \
    FORM(r, "mad24.hi.u32 %0, %1, %2, %3;", r, r, r)                                               \
    FORM(r, "mad24.hi.sat.s32 %0, %1, %2, %3;", r, r, r)                                           \
    FORM(r, "sad.u32 %0, %1, %2, %3;", r, r, r)                                                    \
    FORM(r, "sad.s32 %0, %1, %2, %3;", r, r, r)                                                    \
    FORM(l, "sad.s64 %0, %1, %2, %3;", l, l, l)                                                    \
    FORM(r, "slct.u32.s32 %0, %1, %2, %3;", r, r, r)                                               \
    FORM(r, "slct.b32.f32 %0, %1, %2, %3;", r, r, r)                                               \
    FORM(l, "slct.b64.s32 %0, %1, %2, %3;", l, l, r)                                               \
    FORM(r, "dp4a.u32.u32 %0, %1, %2, %3;", r, r, r)                                               \
    FORM(r, "dp4a.s32.s32 %0, %1, %2, %3;", r, r, r)                                               \
    FORM(r, "dp4a.s32.u32 %0, %1, %2, %3;", r, r, r)                                               \
    FORM(r, "dp2a.lo.s32.s32 %0, %1, %2, %3;", r, r, r)                                            \
    FORM(r, "dp2a.hi.u32.s32 %0, %1, %2, %3;", r, r, r)                                            \
    FORM(r, "szext.wrap.s32 %0, %1, %2;", r, s)                                                    \
    FORM(r, "szext.clamp.u32 %0, %1, %2;", r, s)                                                   \
    FORM(r, "szext.clamp.s32 %0, %1, %2;", r, s)                                                   \
    FORM(r, "bmsk.wrap.b32 %0, %1, %2;", s, s)                                                     \
    FORM(r, "bmsk.clamp.b32 %0, %1, %2;", s, s)                                                    \
    FORM(r, "bfe.s32 %0, %1, %2, %3;", r, s, s)                                                    \
    FORM(l, "bfe.u64 %0, %1, %2, %3;", l, s, s)                                                    \
    FORM(l, "bfe.s64 %0, %1, %2, %3;", l, s, s)                                                    \
    FORM(r, "bfi.b32 %0, %1, %2, %3, 9;", r, r, s)                                                 \
    FORM(l, "bfi.b64 %0, %1, %2, %3, 40;", l, l, s)                                                \
    FORM(r, "bfind.s32 %0, %1;", r)                                                                \
    FORM(r, "bfind.shiftamt.u64 %0, %1;", l)                                                       \
    FORM(r, "fns.b32 %0, %1, %2, 2;", r, s)                                                        \
    FORM(r, "fns.b32 %0, %1, %2, -1;", r, s)                                                       \
    FORM(r, "shf.l.wrap.b32 %0, %1, %2, %3;", r, r, s)                                             \
    FORM(r, "shf.l.clamp.b32 %0, %1, %2, %3;", r, r, s)                                            \
    FORM(r, "shf.r.wrap.b32 %0, %1, %2, %3;", r, r, s)                                             \
    FORM(r, "shf.r.clamp.b32 %0, %1, %2, %3;", r, r, s)                                            \
    FORM(r, "prmt.b32.f4e %0, %1, %2, %3;", r, r, s)                                               \
    FORM(r, "prmt.b32.b4e %0, %1, %2, %3;", r, r, s)                                               \
    FORM(r, "prmt.b32.rc8 %0, %1, %2, %3;", r, r, s)                                               \
    FORM(r, "prmt.b32.ecl %0, %1, %2, %3;", r, r, s)                                               \
    FORM(r, "prmt.b32.ecr %0, %1, %2, %3;", r, r, s)                                               \
    FORM(r, "prmt.b32.rc16 %0, %1, %2, %3;", r, r, s)                                              \
    FORM(r, "add.s16x2 %0, %1, %2;", r, r)                                                         \
    FORM(r, "min.s16x2 %0, %1, %2;", r, r)                                                         \
    FORM(r, "max.u16x2 %0, %1, %2;", r, r)                                                         \
    FORM(r, "max.s16x2.relu %0, %1, %2;", r, r)                                                    \
    FORM(r, "min.s32.relu %0, %1, %2;", r, r)                                                      \
    FORM(r, "vabsdiff4.s32.s32.s32.add %0, %1, %2, %3;", r, r, r)                                  \
    FORM(r, "vshr.u32.u32.u32.clamp.add %0, %1, %2, %3;", r, s, r)                                 \
    FORM(r, "clz.b64 %0, %1;", l)                                                                  \
    FORM(r, "popc.b64 %0, %1;", l)                                                                 \
    FORM(l, "brev.b64 %0, %1;", l)                                                                 \
    FORM(r, "set.lt.u32.s32 %0, %1, %2;", r, r)                                                    \
    FORM(r, "set.gtu.u32.f32 %0, %1, %2;", r, r)                                                   \
    FORM(f, "set.nan.f32.f32 %0, %1, %2;", r, r)                                                   \
    FORM(r,                                                                                        \
         "{ .reg .pred p, q; setp.gt.s32 q, %3, 5; setp.le.and.u32 p, %1, %2, q;"                  \
         " selp.b32 %0, %1, %2, p; }",                                                             \
         r, r, r)                                                                                  \
    FORM(r,                                                                                        \
         "{ .reg .pred p, q; setp.gt.s32 q, %3, 5; setp.le.xor.s32 p|q, %1, %2, !q;"               \
         " selp.b32 %0, 1, 2, p; @q add.u32 %0, %0, 4; }",                                         \
         r, r, r)                                                                                  \
    FORM(r,                                                                                        \
         "{ .reg .pred p, q; setp.num.f32 p, %1, %2; setp.neu.or.f32 q, %1, %2, p;"                \
         " and.pred p, p, q; not.pred q, p; xor.pred p, p, q; selp.b32 %0, 1, 0, p; }",            \
         r, r)                                                                                     \
    FORM(r, "{ .reg .pred p; testp.finite.f32 p, %1; selp.b32 %0, 1, 0, p; }", r)                  \
    FORM(r, "{ .reg .pred p; testp.infinite.f32 p, %1; selp.b32 %0, 1, 0, p; }", r)                \
    FORM(r, "{ .reg .pred p; testp.number.f32 p, %1; selp.b32 %0, 1, 0, p; }", r)                  \
    FORM(r, "{ .reg .pred p; testp.notanumber.f64 p, %1; selp.b32 %0, 1, 0, p; }", l)              \
    FORM(r, "{ .reg .pred p; testp.normal.f32 p, %1; selp.b32 %0, 1, 0, p; }", r)                  \
    FORM(r, "{ .reg .pred p; testp.subnormal.f32 p, %1; selp.b32 %0, 1, 0, p; }", r)               \
    FORM(r, "copysign.f32 %0, %1, %2;", r, r)                                                      \
    FORM(l, "copysign.f64 %0, %1, %2;", l, l)                                                      \
    FORM(r,                                                                                        \
         "{ .reg .u32 i; mov.u32 i, 0; mov.u32 %0, %1; and.b32 i, %2, 7; AGAIN:"                   \
         " { .reg .pred p; setp.eq.u32 p, i, 0; @p bra DONE; mad.lo.u32 %0, %0, 3, 1;"             \
         " sub.u32 i, i, 1; bra.uni AGAIN; } DONE: }",                                             \
         r, r)

#define FORMS_OF_FLOATS(FORM)                                                                      \
    FORM(f, "add.rz.f32 %0, %1, %2;", r, r)                                                        \
    FORM(f, "add.rm.f32 %0, %1, %2;", r, r)                                                        \
    FORM(f, "sub.rp.f32 %0, %1, %2;", r, r)                                                        \
    FORM(f, "mul.rz.f32 %0, %1, %2;", r, r)                                                        \
    FORM(f, "mul.rm.ftz.f32 %0, %1, %2;", r, r)                                                    \
    FORM(f, "add.ftz.f32 %0, %1, %2;", r, r)                                                       \
    FORM(f, "mul.ftz.sat.f32 %0, %1, %2;", r, r)                                                   \
    FORM(f, "fma.rp.f32 %0, %1, %2, %3;", r, r, r)                                                 \
    FORM(f, "fma.rn.sat.f32 %0, %1, %2, %3;", r, r, r)                                             \
    FORM(f, "mad.rz.f32 %0, %1, %2, %3;", r, r, r)                                                 \
    FORM(f, "div.rn.f32 %0, %1, %2;", r, r)                                                        \
    FORM(f, "div.rp.f32 %0, %1, %2;", r, r)                                                        \
    FORM(f, "rcp.rn.f32 %0, %1;", r)                                                               \
    FORM(f, "rcp.rz.f32 %0, %1;", r)                                                               \
    FORM(f, "sqrt.rm.f32 %0, %1;", r)                                                              \
    FORM(d, "add.rm.f64 %0, %1, %2;", l, l)                                                        \
    FORM(d, "mul.rp.f64 %0, %1, %2;", l, l)                                                        \
    FORM(d, "fma.rz.f64 %0, %1, %2, %3;", l, l, l)                                                 \
    FORM(d, "div.rz.f64 %0, %1, %2;", l, l)                                                        \
    FORM(d, "sqrt.rp.f64 %0, %1;", l)                                                              \
    FORM(d, "rcp.rn.f64 %0, %1;", l)                                                               \
    FORM(f, "min.f32 %0, %1, %2;", r, r)                                                           \
    FORM(f, "max.NaN.f32 %0, %1, %2;", r, r)                                                       \
    FORM(f, "min.xorsign.abs.f32 %0, %1, %2;", r, r)                                               \
    FORM(f, "max.ftz.f32 %0, %1, %2;", r, r)                                                       \
    FORM(d, "max.f64 %0, %1, %2;", l, l)                                                           \
    FORM(f, "neg.ftz.f32 %0, %1;", r)                                                              \
    FORM(f, "abs.f32 %0, %1;", r)                                                                  \
    FORM(h, "add.f16 %0, %1, %2;", h, h)                                                           \
    FORM(h, "sub.sat.f16 %0, %1, %2;", h, h)                                                       \
    FORM(h, "mul.rn.f16 %0, %1, %2;", h, h)                                                        \
    FORM(h, "fma.rn.f16 %0, %1, %2, %3;", h, h, h)                                                 \
    FORM(h, "fma.rn.relu.f16 %0, %1, %2, %3;", h, h, h)                                            \
    FORM(r, "add.rn.f16x2 %0, %1, %2;", p, p)                                                      \
    FORM(r, "mul.f16x2 %0, %1, %2;", p, p)                                                         \
    FORM(r, "fma.rn.sat.f16x2 %0, %1, %2, %3;", p, p, p)                                           \
    FORM(r, "fma.rn.bf16x2 %0, %1, %2, %3;", p, p, p)                                              \
    FORM(h, "fma.rn.bf16 %0, %1, %2, %3;", h, h, h)                                                \
    FORM(h, "add.bf16 %0, %1, %2;", h, h)                                                          \
    FORM(r, "sub.bf16x2 %0, %1, %2;", p, p)                                                        \
    FORM(h, "max.f16 %0, %1, %2;", h, h)                                                           \
    FORM(r, "min.NaN.f16x2 %0, %1, %2;", p, p)                                                     \
    FORM(r, "max.bf16x2 %0, %1, %2;", p, p)                                                        \
    FORM(h, "min.xorsign.abs.bf16 %0, %1, %2;", h, h)                                              \
    FORM(h, "neg.f16 %0, %1;", h)                                                                  \
    FORM(r, "abs.bf16x2 %0, %1;", p)                                                               \
    FORM(r, "set.ge.f16x2.f16x2 %0, %1, %2;", p, p)                                                \
    FORM(r, "set.nan.bf16x2.bf16x2 %0, %1, %2;", p, p)                                             \
    FORM(r,                                                                                        \
         "{ .reg .pred p, q; setp.gt.f16x2 p|q, %1, %2; selp.b32 %0, 1, 0, p;"                     \
         " @q add.u32 %0, %0, 2; }",                                                               \
         p, p)                                                                                     \
    FORM(r, "{ .reg .pred p; setp.leu.bf16 p, %1, %2; selp.b32 %0, 1, 0, p; }", h, h)
