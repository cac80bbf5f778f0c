/* Notifications of a device that takes memory back. They are refused. Included by cuda_runtime_api.h
 * within its extern "C". */
#ifndef __CDP_NOTIFICATION_API_H
#define __CDP_NOTIFICATION_API_H

#include "hide.h"

typedef struct cudaAsyncCallbackEntry *cudaAsyncCallbackHandle_t;
typedef enum cudaAsyncNotificationType_enum {
    cudaAsyncNotificationTypeOverBudget = 1
} cudaAsyncNotificationType;
typedef struct cudaAsyncNotificationInfo {
    cudaAsyncNotificationType type;
    union {
        struct {
            unsigned long long bytesOverBudget;
        } overBudget;
    } info;
} cudaAsyncNotificationInfo_t;
typedef void (*cudaAsyncCallback)(cudaAsyncNotificationInfo_t *, void *,
                                  cudaAsyncCallbackHandle_t);

cudaError_t cudaDeviceRegisterAsyncNotification(int __device, cudaAsyncCallback __call,
                                                void *__data, cudaAsyncCallbackHandle_t *__handle);
cudaError_t cudaDeviceUnregisterAsyncNotification(int __device, cudaAsyncCallbackHandle_t __handle);

#include "show.h"

#endif
