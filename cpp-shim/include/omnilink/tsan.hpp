/*
 * Annotations for ThreadSanitizer, because the runtime is compiled without it.
 *
 * It sees that the runtime allocates and copies memory, but not the synchronisation, so it must ignore accesses of the
 * shared library. (It cannot identify the calls of a static library: link the shared library with ThreadSanitizer.)
 *
 * The fuzz loop makes the threads' states one after the other, and lets no thread begin before all are made. This order
 * must be told, or a state that reads what another one has written would be taken for a race.
 */
#ifndef OMNILINK_TSAN_HPP
#define OMNILINK_TSAN_HPP

#if defined(__SANITIZE_THREAD__)
#define OMNILINK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define OMNILINK_TSAN 1
#endif
#endif

#if defined(OMNILINK_TSAN)
extern "C" void __tsan_acquire(void *address);
extern "C" void __tsan_release(void *address);

/// Weak, so that a program can have its own; it should then contain this line.
extern "C" __attribute__((weak)) const char *__tsan_default_suppressions() {
    return "called_from_lib:libomnilink_c.so\n";
}
#endif

namespace omnilink::detail {

/// What was done before the last release of `address` has happened before this.
inline void tsan_acquire([[maybe_unused]] void *address) {
#if defined(OMNILINK_TSAN)
    __tsan_acquire(address);
#endif
}

/// What was done so far has happened before the next acquire of `address`.
inline void tsan_release([[maybe_unused]] void *address) {
#if defined(OMNILINK_TSAN)
    __tsan_release(address);
#endif
}

}  // namespace omnilink::detail

#endif
