/* What run-time compilation has of the C++ library: objects at an address, std::move and
 * std::forward, and std::initializer_list. NVRTC has options that omit the last two. */
#ifndef __CDP_RTC_CXX_H
#define __CDP_RTC_CXX_H

#include "rtc.h"

inline __host__ __device__ void *operator new(size_t, void *__at) noexcept
{
    return __at;
}
inline __host__ __device__ void *operator new[](size_t, void *__at) noexcept
{
    return __at;
}

#ifndef __CDP_RTC_NO_MOVE
namespace std {
template <class __T> struct __cdp_plain {
    typedef __T __type;
};
template <class __T> struct __cdp_plain<__T &> {
    typedef __T __type;
};
template <class __T> struct __cdp_plain<__T &&> {
    typedef __T __type;
};
template <class __T>
__host__ __device__ constexpr typename __cdp_plain<__T>::__type &&move(__T &&__value) noexcept
{
    return static_cast<typename __cdp_plain<__T>::__type &&>(__value);
}
template <class __T>
__host__ __device__ constexpr __T &&forward(typename __cdp_plain<__T>::__type &__value) noexcept
{
    return static_cast<__T &&>(__value);
}
template <class __T>
__host__ __device__ constexpr __T &&forward(typename __cdp_plain<__T>::__type &&__value) noexcept
{
    return static_cast<__T &&>(__value);
}
} // namespace std
#endif

/* The compiler fills in the two members. */
#ifndef __CDP_RTC_NO_LIST
namespace std {
template <class __T> class initializer_list
{
    const __T *__items;
    size_t __count;

public:
    typedef __T value_type;
    typedef const __T &reference;
    typedef const __T &const_reference;
    typedef size_t size_type;
    typedef const __T *iterator;
    typedef const __T *const_iterator;
    __host__ __device__ constexpr initializer_list() noexcept : __items(nullptr), __count(0)
    {
    }
    __host__ __device__ constexpr size_t size() const noexcept
    {
        return __count;
    }
    __host__ __device__ constexpr const __T *begin() const noexcept
    {
        return __items;
    }
    __host__ __device__ constexpr const __T *end() const noexcept
    {
        return __items + __count;
    }
};
} // namespace std
#endif

#endif
