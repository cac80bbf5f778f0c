#error "nccl.h: cdpcc has no NCCL; call MPI from host code: device pointers are valid there"
