/* Compiler attributes, each defined once. Clang's -Wthread-safety reads the attributes of thread
 * safety; for other compilers they are empty. */
#ifndef CDP_BASE_ATTR_H
#define CDP_BASE_ATTR_H

#define CDP_CACHE_LINE 64

#define CDP_MUST_CHECK __attribute__((warn_unused_result))
#define CDP_NORETURN __attribute__((noreturn))
#define CDP_NOINLINE __attribute__((noinline))
#define CDP_COLD __attribute__((cold, noinline))
#define CDP_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define CDP_EXPORT __attribute__((visibility("default")))
#define CDP_LIKELY(x) __builtin_expect(!!(x), 1)
#define CDP_UNLIKELY(x) __builtin_expect(!!(x), 0)

/* For code that runs when the sanitizer's own state is not valid: in signal handlers, and during a
 * switch from one stack to another. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define CDP_NOT_INSTRUMENTED __attribute__((no_sanitize("address", "thread")))
#endif
#endif
#ifndef CDP_NOT_INSTRUMENTED
#define CDP_NOT_INSTRUMENTED
#endif

/* The same, also for atomic operations, which TSan otherwise sees in any function. */
#if defined(__has_attribute) && __has_attribute(disable_sanitizer_instrumentation)
#define CDP_UNSEEN_BY_SANITIZERS __attribute__((disable_sanitizer_instrumentation))
#else
#define CDP_UNSEEN_BY_SANITIZERS
#endif

/* Initial-exec: one instruction per access, also in a shared library. It uses static TLS space,
 * which is scarce for libraries loaded by dlopen: three pointers in total. */
#define CDP_TLS_INITIAL_EXEC __attribute__((tls_model("initial-exec")))

#if defined(__clang__) && __clang_major__ >= 16
#define CDP_THREAD_SAFETY(x) __attribute__((x))
#else
#define CDP_THREAD_SAFETY(x)
#endif
#define CDP_CAPABILITY(name) CDP_THREAD_SAFETY(capability(name))
#define CDP_GUARDED_BY(lock) CDP_THREAD_SAFETY(guarded_by(lock))
#define CDP_NEEDS(lock) CDP_THREAD_SAFETY(requires_capability(lock))
#define CDP_ACQUIRES(lock) CDP_THREAD_SAFETY(acquire_capability(lock))
#define CDP_RELEASES(lock) CDP_THREAD_SAFETY(release_capability(lock))
#define CDP_NO_THREAD_SAFETY CDP_THREAD_SAFETY(no_thread_safety_analysis)

#endif
