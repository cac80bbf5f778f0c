/* sRGB: codes of 8 bits, and the linear numbers that a texture unit reads them as. */
#ifndef CDP_TEXTURE_SRGB_H
#define CDP_TEXTURE_SRGB_H

#include <stdint.h>

/* Linear numbers are whole numbers of 1 / CDP_SRGB_ONE. */
#define CDP_SRGB_ONE 0x100000

int32_t cdp_srgb_to_linear(uint8_t code);
/* The same for a blend in which largest is the largest of the codes. */
int32_t cdp_srgb_to_blend(uint8_t code, uint8_t largest);
/* The code of a color from 0 to 1. */
uint8_t cdp_srgb_of(float color);

#endif
