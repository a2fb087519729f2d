// Whether a brick of this range of keys may be cut. Of 64-bit samples the range knows the high words only, so a brick
// may be selected that makes nothing; none is missed.
// Include after Slab.glsl.
#include "Shared/Bindings.h"

layout(std430, binding = BINDING_BRICK_RANGE) readonly buffer BrickRange { uvec2 range[]; };

bool isActive(uint brick)
{
  const uvec2 keys = range[brickOfVolume(brick)];
  return keys.x <= slab.selectUpTo && keys.y >= slab.thresholdKey;
}
