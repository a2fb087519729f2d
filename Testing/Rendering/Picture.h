// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Pictures in memory, their comparison, and their files.
#ifndef vmcDrawnPicture_h
#define vmcDrawnPicture_h

#include <string>
#include <vector>

namespace vmc::test
{

// RGB, row by row from the bottom.
struct Picture
{
  int width = 0;
  int height = 0;
  std::vector<unsigned char> values; // 3 * width * height
};

// Pixels that differ by more than `tolerance` of 255 in a channel. All of them if the sizes differ.
int differingPixels(const Picture& one, const Picture& other, int tolerance);

// Pixels that do not have the colour of the lower left corner: of the background, if a scene leaves that corner empty.
int coveredPixels(const Picture& picture);

// Writes NAME.png into the folder of the pictures and returns its path. The folder: the environment variable
// VMC_PICTURES, or else "pictures" in the folder of the build.
std::string savePicture(const Picture& picture, const std::string& name);

// The differences of two pictures of one size, eight times as large: a difference of 32 is white.
Picture differencesOf(const Picture& one, const Picture& other);

}

#endif
