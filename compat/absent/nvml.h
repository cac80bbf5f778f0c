#error "nvml.h: cdpcc has no NVML; ask cudaGetDeviceProperties()"
