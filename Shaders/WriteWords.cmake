# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DSPIRV=FILE -DWORDS=FILE -P WriteWords.cmake: writes the little-endian 32-bit words of SPIRV as C++ numbers,
# separated by commas.
file(READ "${SPIRV}" bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${bytes}")
file(WRITE "${WORDS}" "${words}")
