// Shared by the tests: a pointer whose origin the compiler cannot see, so that it does not warn.
#pragma once

template <class T> __device__ T *hide(T *pointer)
{
    T *volatile hidden = pointer;
    return hidden;
}
