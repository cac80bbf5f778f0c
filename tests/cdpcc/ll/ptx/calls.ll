; RUN: not cdpcc-opt --passes=ptx -rdc=false %s 2>&1 | FileCheck %s --implicit-check-not=error:
; The arguments of a call are .param variables with the sizes of the function's parameters.
; Addresses have 64 bits here. A launch by PTX is a launch.
target triple = "x86_64-pc-linux-gnu"

; CHECK: error: inline PTX 'call f, (a)': argument 1 of 'f' has 8 bytes, not 4: addresses and sizes have 64 bits here
define void @short() {
  call void asm sideeffect "{.param .b32 a; call f, (a);}", ""()
  ret void
}

; CHECK: error: inline PTX 'call f, ()': 'f' takes 1 arguments, not 0
define void @few() {
  call void asm sideeffect "{call f, ();}", ""()
  ret void
}

; CHECK: error: inline PTX 'call g': 'g' is no function of this unit with scalar parameters and result
define void @unknown() {
  call void asm sideeffect "{call g;}", ""()
  ret void
}

; CHECK: error: a kernel launch from device code needs separate compilation
define void @launch() {
  call void asm sideeffect "{.param .b32 r; .param .b64 a, b; call (r), cudaLaunchDeviceV2, (a, b);}", ""()
  ret void
}

declare void @f(ptr)
