/* The driver API's handles of memory and events for other processes. Included by cuda.h. */
#ifndef __CDP_CU_IPC_H
#define __CDP_CU_IPC_H

#define CU_IPC_HANDLE_SIZE 64
#define cuIpcOpenMemHandle cuIpcOpenMemHandle_v2

typedef enum CUipcMem_flags_enum {
    CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS = 0x1
} CUipcMem_flags;

typedef struct CUipcMemHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcMemHandle;

typedef struct CUipcEventHandle_st {
    char reserved[CU_IPC_HANDLE_SIZE];
} CUipcEventHandle;

#ifdef __cplusplus
extern "C" {
#endif

CUresult cuIpcGetMemHandle(CUipcMemHandle *__handle, CUdeviceptr __ptr);
CUresult cuIpcOpenMemHandle(CUdeviceptr *__ptr, CUipcMemHandle __handle, unsigned int __flags);
CUresult cuIpcCloseMemHandle(CUdeviceptr __ptr);
CUresult cuIpcGetEventHandle(CUipcEventHandle *__handle, CUevent __event);
CUresult cuIpcOpenEventHandle(CUevent *__event, CUipcEventHandle __handle);

#ifdef __cplusplus
}
#endif

#endif
