// Exclusive prefix sums on the device: reduce, scan, and add, in three dispatches.
#ifndef vmcPrefixSum_h
#define vmcPrefixSum_h

#include "Commands.h"

#include <cstdint>

namespace vmc
{

// Blocks of SCAN_BLOCK_SIZE elements that `count` elements make.
std::uint32_t scanBlocks(std::uint32_t count);

// Where a scan leaves its results in the totals buffer (TOTAL_... in Shaders/Shared/Constants.h); array 1 of two takes
// the word after that of array 0.
struct ScanTotals
{
  std::uint32_t sum;          // word for the sum of all elements
  std::uint32_t splitElement; // an element whose offset is wanted too, or the element count for none
  std::uint32_t split;        // word for that offset
};

// Records the scan in place of `arrays` arrays of `count` elements each, one after the other in BINDING_BRICK_OFFSET.
// Needs BINDING_BLOCK_SUM with room for arrays * scanBlocks(count) words, and BINDING_TOTALS. Sums stick at 2^32 - 1.
void recordPrefixSum(Commands& commands, Kernels& kernels, const Bindings& bindings, std::uint32_t arrays,
  std::uint32_t count, const ScanTotals& totals);

// Records the middle step alone: the exclusive scan of block sums that some other kernel made.
void recordBlockScan(Commands& commands, Kernels& kernels, const Bindings& bindings, std::uint32_t arrays,
  std::uint32_t blockCount, std::uint32_t sumTotal);

// The specialization of every kernel that scans within a group.
Specialization scanSpecialization();

}

#endif
