// Twin of the kernel ScanElements.
#ifndef vmcReferenceScanElements_h
#define vmcReferenceScanElements_h

#include "ReduceBlocks.h"

namespace vmc::reference
{

// value[array][element] becomes the sums of the blocks before its own plus the elements of its block before it;
// total[splitTotal + array] the result of the split element, total[sumTotal + array] the sum of all.
inline void scanElements(const ScanConstants& scan, std::uint32_t arrays, std::vector<std::uint32_t>& value,
  const std::vector<std::uint32_t>& sum, std::vector<std::uint32_t>& total)
{
  for (std::uint32_t array = 0; array < arrays; ++array)
  {
    std::uint64_t before = 0;
    std::uint64_t blocksBefore = 0;
    for (std::uint32_t element = 0; element < total[scan.countTotal]; ++element)
    {
      if (element % SCAN_BLOCK_SIZE == 0)
      {
        before = blocksBefore;
        blocksBefore += sum[array * scan.blockCount + element / SCAN_BLOCK_SIZE];
      }
      std::uint32_t& entry = value[array * scan.room + element];
      const std::uint32_t count = entry;
      entry = stuck(before);
      if (scan.splitElement != NO_TOTAL && element == total[scan.splitElement])
        total[scan.splitTotal + array] = entry;
      before += count;
    }
    total[scan.sumTotal + array] = stuck(before);
  }
}

}

#endif
