/* NVTX for C++: ranges that end with their scope, marks, domains. As NVIDIA's nvtx3.hpp, version 1;
 * what is shown of it: see nvToolsExt.h. */
#ifndef __CDP_NVTX3_HPP
#define __CDP_NVTX3_HPP

#include <cstdint>
#include <string>
#include <type_traits>

#include "nvToolsExt.h"

#define NVTX3_CPP_VERSION_MAJOR 1
#define NVTX3_CPP_VERSION_MINOR 0

namespace nvtx3
{
inline namespace v1
{

/* A domain is named by a type D with a member D::name. */
class domain
{
public:
    struct global {
    };
    template <class D = global> static const domain &get() noexcept
    {
        static const domain __domain(__name(static_cast<D *>(nullptr)));
        return __domain;
    }
    operator nvtxDomainHandle_t() const noexcept
    {
        return __handle;
    }

private:
    explicit domain(nvtxDomainHandle_t __h) noexcept : __handle(__h)
    {
    }
    static nvtxDomainHandle_t __create(const char *__text) noexcept
    {
        return nvtxDomainCreateA(__text);
    }
    static nvtxDomainHandle_t __create(const wchar_t *__text) noexcept
    {
        return nvtxDomainCreateW(__text);
    }
    static nvtxDomainHandle_t __name(global *) noexcept
    {
        return nullptr;
    }
    template <class D> static nvtxDomainHandle_t __name(D *) noexcept
    {
        return __create(D::name);
    }
    nvtxDomainHandle_t __handle;
};

struct rgb {
    using component_type = std::uint8_t;
    constexpr rgb(component_type __r, component_type __g, component_type __b) noexcept
        : red(__r), green(__g), blue(__b)
    {
    }
    component_type red, green, blue;
};
struct argb final : rgb {
    constexpr argb(component_type __a, component_type __r, component_type __g,
                   component_type __b) noexcept
        : rgb(__r, __g, __b), alpha(__a)
    {
    }
    component_type alpha;
};
class color
{
public:
    using value_type = std::uint32_t;
    constexpr explicit color(value_type __code) noexcept : __value(__code)
    {
    }
    constexpr color(argb __c) noexcept
        : __value(value_type(__c.alpha) << 24 | value_type(__c.red) << 16 |
                  value_type(__c.green) << 8 | __c.blue)
    {
    }
    constexpr color(rgb __c) noexcept : color(argb(0xff, __c.red, __c.green, __c.blue))
    {
    }
    constexpr value_type get_value() const noexcept
    {
        return __value;
    }
    constexpr nvtxColorType_t get_type() const noexcept
    {
        return NVTX_COLOR_ARGB;
    }

private:
    value_type __value;
};

class category
{
public:
    using id_type = std::uint32_t;
    constexpr explicit category(id_type __number) noexcept : __id(__number)
    {
    }
    constexpr id_type get_id() const noexcept
    {
        return __id;
    }

private:
    id_type __id;
};
template <class D = domain::global> class named_category_in final : public category
{
public:
    template <class C> static const named_category_in &get() noexcept
    {
        static const named_category_in __category(C::id, C::name);
        return __category;
    }
    named_category_in(id_type __id, const char *__text) noexcept : category(__id)
    {
        nvtxDomainNameCategoryA(domain::get<D>(), __id, __text);
    }
    named_category_in(id_type __id, const wchar_t *__text) noexcept : category(__id)
    {
        nvtxDomainNameCategoryW(domain::get<D>(), __id, __text);
    }
};
using named_category = named_category_in<domain::global>;

template <class D = domain::global> class registered_string_in
{
public:
    template <class M> static const registered_string_in &get() noexcept
    {
        static const registered_string_in __string(M::message);
        return __string;
    }
    explicit registered_string_in(const char *__text) noexcept
        : __handle(nvtxDomainRegisterStringA(domain::get<D>(), __text))
    {
    }
    explicit registered_string_in(const std::string &__text) noexcept
        : registered_string_in(__text.c_str())
    {
    }
    explicit registered_string_in(const wchar_t *__text) noexcept
        : __handle(nvtxDomainRegisterStringW(domain::get<D>(), __text))
    {
    }
    explicit registered_string_in(const std::wstring &__text) noexcept
        : registered_string_in(__text.c_str())
    {
    }
    nvtxStringHandle_t get_handle() const noexcept
    {
        return __handle;
    }

private:
    nvtxStringHandle_t __handle;
};
using registered_string = registered_string_in<domain::global>;

class message
{
public:
    using value_type = nvtxMessageValue_t;
    message(const char *__text) noexcept : __type(NVTX_MESSAGE_TYPE_ASCII)
    {
        __value.ascii = __text;
    }
    message(const std::string &__text) noexcept : message(__text.c_str())
    {
    }
    message(const wchar_t *__text) noexcept : __type(NVTX_MESSAGE_TYPE_UNICODE)
    {
        __value.unicode = __text;
    }
    message(const std::wstring &__text) noexcept : message(__text.c_str())
    {
    }
    template <class D>
    message(const registered_string_in<D> &__text) noexcept
        : __type(NVTX_MESSAGE_TYPE_REGISTERED)
    {
        __value.registered = __text.get_handle();
    }
    message(nvtxMessageType_t __t, const nvtxMessageValue_t &__v) noexcept
        : __type(__t), __value(__v)
    {
    }
    value_type get_value() const noexcept
    {
        return __value;
    }
    nvtxMessageType_t get_type() const noexcept
    {
        return __type;
    }

private:
    nvtxMessageType_t __type;
    nvtxMessageValue_t __value;
};

class payload
{
public:
    using value_type = nvtxEventAttributes_v2::payload_t;
    explicit payload(std::int64_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_INT64)
    {
        __value.llValue = __v;
    }
    explicit payload(std::int32_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_INT32)
    {
        __value.iValue = __v;
    }
    explicit payload(std::uint64_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64)
    {
        __value.ullValue = __v;
    }
    explicit payload(std::uint32_t __v) noexcept : __type(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32)
    {
        __value.uiValue = __v;
    }
    explicit payload(float __v) noexcept : __type(NVTX_PAYLOAD_TYPE_FLOAT)
    {
        __value.fValue = __v;
    }
    explicit payload(double __v) noexcept : __type(NVTX_PAYLOAD_TYPE_DOUBLE)
    {
        __value.dValue = __v;
    }
    value_type get_value() const noexcept
    {
        return __value;
    }
    nvtxPayloadType_t get_type() const noexcept
    {
        return __type;
    }

private:
    nvtxPayloadType_t __type;
    value_type __value;
};

/* The parts in any order; of two of one kind the first counts. */
class event_attributes
{
public:
    using value_type = nvtxEventAttributes_t;
    event_attributes() noexcept
    {
        __event.version = NVTX_VERSION;
        __event.size = sizeof(value_type);
    }
    template <class... Args>
    explicit event_attributes(const category &__c, const Args &...__args) noexcept
        : event_attributes(__args...)
    {
        __event.category = __c.get_id();
    }
    template <class... Args>
    explicit event_attributes(const color &__c, const Args &...__args) noexcept
        : event_attributes(__args...)
    {
        __event.color = __c.get_value();
        __event.colorType = __c.get_type();
    }
    template <class... Args>
    explicit event_attributes(const payload &__p, const Args &...__args) noexcept
        : event_attributes(__args...)
    {
        __event.payload = __p.get_value();
        __event.payloadType = __p.get_type();
    }
    template <class... Args>
    explicit event_attributes(const message &__m, const Args &...__args) noexcept
        : event_attributes(__args...)
    {
        __event.message = __m.get_value();
        __event.messageType = __m.get_type();
    }
    const value_type *get() const noexcept
    {
        return &__event;
    }

private:
    value_type __event{};
};

template <class D = domain::global> class scoped_range_in
{
public:
    explicit scoped_range_in(const event_attributes &__attributes) noexcept
    {
        nvtxDomainRangePushEx(domain::get<D>(), __attributes.get());
    }
    template <class... Args>
    explicit scoped_range_in(const Args &...__args) noexcept
        : scoped_range_in(event_attributes{__args...})
    {
    }
    scoped_range_in() noexcept : scoped_range_in(event_attributes{})
    {
    }
    void *operator new(std::size_t) = delete;
    scoped_range_in(const scoped_range_in &) = delete;
    scoped_range_in &operator=(const scoped_range_in &) = delete;
    ~scoped_range_in() noexcept
    {
        nvtxDomainRangePop(domain::get<D>());
    }
};
using scoped_range = scoped_range_in<domain::global>;

namespace detail
{
template <class D = domain::global> class optional_scoped_range_in
{
public:
    optional_scoped_range_in() = default;
    void begin(const event_attributes &__attributes) noexcept
    {
        nvtxDomainRangePushEx(domain::get<D>(), __attributes.get());
        __has_begun = true;
    }
    optional_scoped_range_in(const optional_scoped_range_in &) = delete;
    optional_scoped_range_in &operator=(const optional_scoped_range_in &) = delete;
    ~optional_scoped_range_in() noexcept
    {
        if (__has_begun) {
            nvtxDomainRangePop(domain::get<D>());
        }
    }

private:
    bool __has_begun = false;
};
} // namespace detail

struct range_handle {
    using value_type = nvtxRangeId_t;
    constexpr range_handle() noexcept = default;
    constexpr explicit range_handle(value_type __id) noexcept : __value(__id)
    {
    }
    constexpr range_handle(std::nullptr_t) noexcept
    {
    }
    constexpr explicit operator bool() const noexcept
    {
        return __value != 0;
    }
    constexpr value_type get_value() const noexcept
    {
        return __value;
    }

private:
    value_type __value = 0;
};
inline constexpr bool operator==(range_handle __a, range_handle __b) noexcept
{
    return __a.get_value() == __b.get_value();
}
inline constexpr bool operator!=(range_handle __a, range_handle __b) noexcept
{
    return !(__a == __b);
}

template <class D = domain::global>
inline range_handle start_range_in(const event_attributes &__attributes) noexcept
{
    return range_handle(nvtxDomainRangeStartEx(domain::get<D>(), __attributes.get()));
}
template <class D = domain::global, class... Args>
inline range_handle start_range_in(const Args &...__args) noexcept
{
    return start_range_in<D>(event_attributes{__args...});
}
template <class... Args> inline range_handle start_range(const Args &...__args) noexcept
{
    return start_range_in<domain::global>(event_attributes{__args...});
}
template <class D = domain::global> inline void end_range_in(range_handle __range) noexcept
{
    nvtxDomainRangeEnd(domain::get<D>(), __range.get_value());
}
inline void end_range(range_handle __range) noexcept
{
    end_range_in<domain::global>(__range);
}

template <class D = domain::global> class unique_range_in
{
public:
    explicit unique_range_in(const event_attributes &__attributes) noexcept
        : __handle(start_range_in<D>(__attributes))
    {
    }
    template <class... Args>
    explicit unique_range_in(const Args &...__args) noexcept
        : unique_range_in(event_attributes{__args...})
    {
    }
    unique_range_in() noexcept : unique_range_in(event_attributes{})
    {
    }
    unique_range_in(unique_range_in &&__other) noexcept : __handle(__other.__handle)
    {
        __other.__handle = range_handle();
    }
    unique_range_in &operator=(unique_range_in &&__other) noexcept
    {
        range_handle __old = __handle;
        __handle = __other.__handle;
        __other.__handle = __old;
        return *this;
    }
    unique_range_in(const unique_range_in &) = delete;
    unique_range_in &operator=(const unique_range_in &) = delete;
    ~unique_range_in() noexcept
    {
        if (__handle) {
            end_range_in<D>(__handle);
        }
    }

private:
    range_handle __handle;
};
using unique_range = unique_range_in<domain::global>;

template <class D = domain::global>
inline void mark_in(const event_attributes &__attributes) noexcept
{
    nvtxDomainMarkEx(domain::get<D>(), __attributes.get());
}
template <class D = domain::global, class... Args>
inline void mark_in(const Args &...__args) noexcept
{
    mark_in<D>(event_attributes{__args...});
}
template <class... Args> inline void mark(const Args &...__args) noexcept
{
    mark_in<domain::global>(event_attributes{__args...});
}

} // namespace v1
} // namespace nvtx3

#define NVTX3_V1_FUNC_RANGE_IN(D)                                                                  \
    static ::nvtx3::v1::registered_string_in<D> const nvtx3_func_name__{__func__};                 \
    static ::nvtx3::v1::event_attributes const nvtx3_func_attr__{nvtx3_func_name__};               \
    ::nvtx3::v1::scoped_range_in<D> const nvtx3_range__{nvtx3_func_attr__}
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C)                                                            \
    ::nvtx3::v1::detail::optional_scoped_range_in<D> optional_nvtx3_range__;                       \
    if (C) {                                                                                       \
        static ::nvtx3::v1::registered_string_in<D> const nvtx3_func_name__{__func__};             \
        static ::nvtx3::v1::event_attributes const nvtx3_func_attr__{nvtx3_func_name__};           \
        optional_nvtx3_range__.begin(nvtx3_func_attr__);                                           \
    }
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN

#endif
