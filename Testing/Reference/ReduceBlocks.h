// Twin of the kernel ReduceBlocks.
#ifndef vmcReferenceReduceBlocks_h
#define vmcReferenceReduceBlocks_h

#include "Constants.h"
#include "Structs.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace vmc::reference
{

// A sum that sticks at the largest 32-bit number. As no term is negative, sums of sums stick at the same elements.
inline std::uint32_t stuck(std::uint64_t sum)
{
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, 0xFFFFFFFFu));
}

// sum[array][block] of value[array][element].
inline void reduceBlocks(const ScanConstants& scan, std::uint32_t arrays, const std::vector<std::uint32_t>& value,
  std::vector<std::uint32_t>& sum, const std::vector<std::uint32_t>& total)
{
  for (std::uint32_t array = 0; array < arrays; ++array)
    for (std::uint32_t block = 0; block < scan.blockCount; ++block)
    {
      std::uint64_t blockSum = 0;
      const std::uint32_t end = std::min((block + 1) * SCAN_BLOCK_SIZE, total[scan.countTotal]);
      for (std::uint32_t element = block * SCAN_BLOCK_SIZE; element < end; ++element)
        blockSum += value[array * scan.room + element];
      sum[array * scan.blockCount + block] = stuck(blockSum);
    }
}

}

#endif
