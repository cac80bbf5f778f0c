#!/bin/sh
# Lays out a directory as NVIDIA's toolkit, so that CUDA_HOME can name it:
#
#   tools/toolkit/layout.sh ROOT TOOLKIT
#
# ROOT has cdpcc: bin/cdpcc, include/cdpcc, lib/libcdprt.*. TOOLKIT is the same directory if it is
# cdpcc's alone, else one below it (ROOT/lib/cdpcc). All links are relative, so the tree may be moved.
#
#   bin/nvcc                      cdpcc, which sees the name
#   include/*                     the headers, but not those that only say what is absent
#   include/cccl                  Debian's libcu++, Thrust and CUB, if they are installed
#   lib64/libcudart.so            the runtime; also as libcudart.so.12, libcuda.so, libcuda.so.1,
#                                 libnccl.so, libnccl.so.2
#   lib64/stubs/libcuda.so        the same: NVIDIA has a stub of the driver there
#   lib64/libcudart_static.a      a script for the linker: the runtime and the libraries it needs
#   lib64/libcudadevrt.a          empty, because kernels call the same runtime
#   lib64/libnvrtc.*              run-time compilation; also libnvJitLink.*
#   lib64/libnvidia-ml.so         NVML; also lib64/stubs/libnvidia-ml.so
#   bin/nvidia-smi                what NVML says, as text
#   lib64/libnvToolsExt.a         empty, because its functions are inline
#   nvvm/libdevice                empty; CMake knows the toolkit by it
#   targets/MACHINE-linux         include and lib again; meson looks there
#   version.json, version.txt     the version of CUDA whose interface this is
set -eu
root=$1 toolkit=$2
here=$(dirname "$0")
mkdir -p "$toolkit/bin" "$toolkit/nvvm/libdevice"
link() { ln -srfn "$1" "$2"; }

link "$root/bin/cdpcc" "$toolkit/bin/nvcc"
link "$root/lib/cdpcc-nvml/nvidia-smi" "$toolkit/bin/nvidia-smi"
install -m 644 "$here/version.json" "$toolkit/version.json"
install -m 644 "$here/version.txt" "$toolkit/version.txt"
install -m 644 "$here/libdevice.txt" "$toolkit/nvvm/libdevice/README"

if [ "$root" = "$toolkit" ]; then
    for header in "$root"/include/cdpcc/*; do
        name=$(basename "$header")
        [ "$name" = absent ] || ln -sfn "cdpcc/$name" "$toolkit/include/$name"
    done
else
    link "$root/include/cdpcc" "$toolkit/include"
fi

# NVIDIA has these libraries there since CUDA 13.
for library in cuda nv thrust cub; do
    [ -d "/usr/include/$library" ] || continue
    mkdir -p "$toolkit/include/cccl"
    ln -sfn "/usr/include/$library" "$toolkit/include/cccl/$library"
done

# The runtime under the toolkit's names, beside libcdprt.so and libcdprt.a.
names() { # names DIRECTORY
    mkdir -p "$1/stubs" "$1/pkgconfig"
    for name in libcudart.so libcudart.so.12 libcuda.so libcuda.so.1 stubs/libcuda.so libnccl.so libnccl.so.2; do
        link "$1/libcdprt.so" "$1/$name"
    done
    for name in libnvidia-ml.so libnvidia-ml.so.1 stubs/libnvidia-ml.so; do
        link "$root/lib/cdpcc-nvml/libnvidia-ml.so.1" "$1/$name"
    done
    for name in cudart cudart_static cuda nccl_static; do
        rm -f "$1/lib$name.a" # may be a link
        install -m 644 "$here/libcudart_static.ld" "$1/lib$name.a"
    done
    for name in cudadevrt nvToolsExt; do
        rm -f "$1/lib$name.a"
        ar rcs "$1/lib$name.a"
    done
    for name in cudart cuda; do
        install -m 644 "$here/$name.pc" "$1/pkgconfig/$name-12.9.pc"
        ln -sfn "$name-12.9.pc" "$1/pkgconfig/$name.pc"
    done
}

# Also lib has them if it is cdpcc's alone. CMake finds them there, and programs then find the
# runtime: lib64 is a directory of the compiler, for which CMake writes no path into programs.
[ ! -L "$toolkit/lib64" ] || rm "$toolkit/lib64"
mkdir -p "$toolkit/lib64"
link "$root/lib/libcdprt.so" "$toolkit/lib64/libcdprt.so"
link "$root/lib/libcdprt.a" "$toolkit/lib64/libcdprt.a"
for library in "$root"/lib/libnvrtc* "$root"/lib/libnvJitLink*; do
    [ ! -e "$library" ] || link "$library" "$toolkit/lib64/$(basename "$library")"
done
names "$toolkit/lib64"
[ "$root" != "$toolkit" ] || names "$root/lib"

target=$toolkit/targets/$(uname -m)-linux
mkdir -p "$target"
ln -sfn ../../include "$target/include"
ln -sfn ../../lib64 "$target/lib"
