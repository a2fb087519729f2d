// Twin of the kernel ScanBlocks.
#ifndef vmcReferenceScanBlocks_h
#define vmcReferenceScanBlocks_h

#include "ReduceBlocks.h"

namespace vmc::reference
{

// sum[array][block] becomes the sum of the blocks before; total[sumTotal + array] the sum of all.
inline void scanBlocks(
  const ScanConstants& scan, std::uint32_t arrays, std::vector<std::uint32_t>& sum, std::vector<std::uint32_t>& total)
{
  for (std::uint32_t array = 0; array < arrays; ++array)
  {
    std::uint64_t before = 0;
    for (std::uint32_t block = 0; block < scan.blockCount; ++block)
    {
      std::uint32_t& entry = sum[array * scan.blockCount + block];
      const std::uint32_t blockSum = entry;
      entry = stuck(before);
      before += blockSum;
    }
    total[scan.sumTotal + array] = stuck(before);
  }
}

}

#endif
