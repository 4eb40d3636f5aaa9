/* The one status type of the kernel ABI and the runtime. */
#ifndef PYC_STATUS_H
#define PYC_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Values are part of the ABI: new causes are appended, none is renumbered. */
typedef enum pyc_status {
  PYC_STATUS_SUCCESS = 0,
  PYC_STATUS_INVALID_VALUE = 1,       /* an argument breaks its contract; nothing was enqueued */
  PYC_STATUS_UNSUPPORTED = 2,         /* a valid call that this kernel or build does not serve; nothing was enqueued */
  PYC_STATUS_NO_KERNEL = 3,           /* every rung refused; pyc_gemm_explain names the reasons */
  PYC_STATUS_ARCH_MISMATCH = 4,       /* no code for this device was compiled in */
  PYC_STATUS_MISALIGNED = 5,          /* a pointer or leading dimension lacks the alignment asked for */
  PYC_STATUS_WORKSPACE_TOO_SMALL = 6, /* the given workspace is smaller than the kernel asked for */
  PYC_STATUS_CAPTURE_UNSAFE = 7,      /* the stream is being captured and the plan is not warm */
  PYC_STATUS_OUT_OF_MEMORY = 8,       /* host or device memory is exhausted */
  PYC_STATUS_NO_DEVICE = 9,           /* no usable GPU or driver on this machine */
  PYC_STATUS_DRIVER_TOO_OLD = 10,     /* the driver is older than the CUDA toolkit of this build */
  PYC_STATUS_DEVICE_ERROR = 11,       /* CUDA reported an error; it is never hidden by a fallback */
  PYC_STATUS_INTERNAL_ERROR = 12      /* a fault of PyC's own */
} pyc_status;

#ifdef __cplusplus
}
#endif
#endif
