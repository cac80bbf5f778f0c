# CMake's CUDA language with cdpcc in place of nvcc:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/share/cdpcc/cmake/cdpcc.cmake ...
#
# or, in CMakeLists.txt before project(): include(PREFIX/share/cdpcc/cmake/cdpcc.cmake). Projects
# for nvcc then build unchanged: separable compilation, cudadevrt, CUDA::cudart.
#
# CMake identifies a CUDA compiler by the lines that nvcc prints while it compiles a probe. cdpcc
# does not run such steps, so this file sets the same variables. CMake finds out the rest by itself
# (that it compiles, links and runs, and which standards it supports).
get_filename_component(_cdpcc_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(CMAKE_CUDA_COMPILER "${_cdpcc_root}/bin/cdpcc")
if(NOT EXISTS "${CMAKE_CUDA_COMPILER}")
  message(FATAL_ERROR "cdpcc.cmake: there is no ${CMAKE_CUDA_COMPILER}: use this file where it was installed")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80) # auto: both generations of dynamic parallelism
endif()

# The compiler's identity.
set(CMAKE_CUDA_COMPILER_ID_RUN 1)
set(CMAKE_CUDA_COMPILER_ID NVIDIA)
set(CMAKE_CUDA_COMPILER_VERSION 12.9.86)
set(CMAKE_CUDA_COMPILER_TOOLKIT_VERSION 12.9.86)
set(CMAKE_CUDA_COMPILER_TOOLKIT_ROOT "${_cdpcc_root}")
set(CMAKE_CUDA_COMPILER_LIBRARY_ROOT "${_cdpcc_root}")
set(CMAKE_CUDA_COMPILER_TOOLKIT_LIBRARY_ROOT "${_cdpcc_root}")
set(CMAKE_CUDA_STANDARD_COMPUTED_DEFAULT 17)
set(CMAKE_CUDA_EXTENSIONS_COMPUTED_DEFAULT ON)
set(CMAKE_CUDA_PLATFORM_ID Linux)

# The libraries: the runtime under the toolkit's names, and the libraries that the runtime needs.
set(CMAKE_CUDA_RUNTIME_LIBRARY_DEFAULT STATIC)
string(CONCAT CMAKE_CUDA_COMPILER_PRODUCED_OUTPUT
  "cdpcc\n"
  "#$ PATH=$ENV{PATH}\n"
  "#$ INCLUDES=\"-I${_cdpcc_root}/include/cdpcc\"\n"
  "#$ LIBRARIES=\"-L${_cdpcc_root}/lib\"\n"
  "#$ g++ -m64 \"a.o\" \"-L${_cdpcc_root}/lib\" -lcudadevrt -lcudart_static -lffi -lpthread -lrt -ldl -lm -lstdc++ -o \"a.out\"\n")

# The variables that find_package(CUDAToolkit) uses.
set(CUDAToolkit_ROOT "${_cdpcc_root}")
set(CUDAToolkit_INCLUDE_DIR "${_cdpcc_root}/include/cdpcc" CACHE PATH "cdpcc's headers")
set(CUDA_CUDART "${_cdpcc_root}/lib/libcudart.a" CACHE FILEPATH "cdpcc's runtime")
mark_as_advanced(CUDAToolkit_INCLUDE_DIR CUDA_CUDART)
unset(_cdpcc_root)
