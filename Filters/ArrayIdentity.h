// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Numbers that identify the contents of arrays.
#ifndef vmcArrayIdentity_h
#define vmcArrayIdentity_h

#include <cstdint>
#include <initializer_list>

class vtkDataArray;

namespace vmc::filters
{

// A number other than 0 that identifies the values of the array: equal numbers mean equal values. It is computed from
// the address, the length, the type and the modification time of the array, and from a fingerprint of its values. The
// fingerprint of an array of at most 128 KiB is computed from all values, that of a larger array from 512 pieces of 64
// bytes spread over it. So a change between these pieces without Modified() is not detected. Costs about 50
// microseconds.
std::uint64_t identityOf(vtkDataArray* array);

// A number other than 0 that identifies this list of numbers, in this order. Two different lists of the same length
// have the same number with a probability of 2^-64.
std::uint64_t identityOf(std::initializer_list<std::uint64_t> parts);

}

#endif
