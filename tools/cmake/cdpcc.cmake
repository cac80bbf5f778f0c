# CMake's CUDA language with cdpcc in place of nvcc:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=PREFIX/share/cdpcc/cmake/cdpcc.cmake ...
#
# or, in CMakeLists.txt before project(): include(PREFIX/share/cdpcc/cmake/cdpcc.cmake). Projects
# for nvcc then build unchanged: separable compilation, cudadevrt, CUDA::cudart.
#
# -DCMAKE_CUDA_COMPILER=PREFIX/bin/nvcc does the same, but for two defaults that are set here: the
# architecture also where a project requires none, and where programs find the shared runtime.
get_filename_component(_cdpcc_root "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
set(_cdpcc_toolkit "${_cdpcc_root}")
if(EXISTS "${_cdpcc_root}/lib/cdpcc/version.json") # a prefix that others share
  set(_cdpcc_toolkit "${_cdpcc_root}/lib/cdpcc")
endif()

set(CMAKE_CUDA_COMPILER "${_cdpcc_toolkit}/bin/nvcc")
if(NOT EXISTS "${CMAKE_CUDA_COMPILER}")
  message(FATAL_ERROR "cdpcc.cmake: there is no ${CMAKE_CUDA_COMPILER}: use this file where it was installed")
endif()
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80) # auto: both generations of dynamic parallelism
endif()
set(CUDAToolkit_ROOT "${_cdpcc_toolkit}")
list(APPEND CMAKE_BUILD_RPATH "${_cdpcc_root}/lib")
list(APPEND CMAKE_INSTALL_RPATH "${_cdpcc_root}/lib")
list(REMOVE_DUPLICATES CMAKE_BUILD_RPATH)
list(REMOVE_DUPLICATES CMAKE_INSTALL_RPATH)
unset(_cdpcc_toolkit)
unset(_cdpcc_root)
