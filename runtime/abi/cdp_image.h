/* Files for cuModuleLoad, which cdpcc writes and the runtime reads.
 *
 * A .cubin or .fatbin is a shared library with the device code of one .cu. Its section .cdp_object,
 * which is not mapped, holds the object from which it was linked: cuLinkAddData links such objects.
 *
 * A .ptx is the same as text, because programs handle PTX as text that ends with a zero. It has the
 * lines of PTX that programs search for (.version, .target, .entry), and the library in base64:
 *
 *     //cdpcc-image 16816         the number of bytes
 *     //f0VMRgIBAQAAAAAAAAAAAAMAPgABAAAA...
 *     //cdpcc-end
 *
 * Each line between has CDP_IMAGE_LINE characters, except for the last one. */
#ifndef CDP_IMAGE_H
#define CDP_IMAGE_H

#define CDP_IMAGE_OBJECT ".cdp_object"
#define CDP_IMAGE_START "\n//cdpcc-image "
#define CDP_IMAGE_END "\n//cdpcc-end\n"
#define CDP_IMAGE_COMMENT "//" /* before each line */
#define CDP_IMAGE_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
enum { CDP_IMAGE_LINE = 96 }; /* a multiple of 4 */

/* What follows a kernel's name in the symbol of its descriptor. */
#define CDP_IMAGE_KERNEL_SUFFIX ".cdpk"

#endif
