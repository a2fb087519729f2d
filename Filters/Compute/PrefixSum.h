// Exclusive prefix sums on the device: sums of blocks, then each block with the sums of those before it.
#ifndef vmcPrefixSum_h
#define vmcPrefixSum_h

#include "Commands.h"

#include <cstdint>

namespace vmc
{

// Blocks of SCAN_BLOCK_SIZE elements that `count` elements make.
std::uint32_t scanBlocks(std::uint32_t count);

// Words of the totals buffer (TOTAL_... in Shaders/Shared/Constants.h) that a scan reads and writes; array 1 of two
// takes the word after that of array 0.
struct ScanTotals
{
  std::uint32_t count;        // holds the number of elements
  std::uint32_t sum;          // for the sum of all elements
  std::uint32_t splitElement; // holds the index of an element whose offset is wanted too; NO_TOTAL: none
  std::uint32_t split;        // for that offset
};

// Records the scan in place of `arrays` arrays with room for `room` elements each, one after the other in
// BINDING_BRICK_OFFSET. Needs BINDING_BLOCK_SUM with room for arrays * scanBlocks(room) words, and BINDING_TOTALS. Sums
// stick at 2^32 - 1. With more elements than room nothing is right, and nothing beyond the room is touched.
void recordPrefixSum(Commands& commands, Kernels& kernels, const Bindings& bindings, std::uint32_t arrays,
  std::uint32_t room, const ScanTotals& totals);

// The specialization of every kernel that scans within a group.
Specialization scanSpecialization();

}

#endif
