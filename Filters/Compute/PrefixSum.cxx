#include "PrefixSum.h"

#include "Constants.h"
#include "Structs.h"

namespace vmc
{

static_assert(SCAN_GROUP_SIZE * SCAN_RUN == SCAN_BLOCK_SIZE, "a group scans one block");

std::uint32_t scanBlocks(std::uint32_t count)
{
  return static_cast<std::uint32_t>(groupsFor(count, SCAN_BLOCK_SIZE));
}

Specialization scanSpecialization()
{
  return { { SPECIALIZE_GROUP_SIZE, SCAN_GROUP_SIZE } };
}

void recordPrefixSum(Commands& commands, Kernels& kernels, const Bindings& bindings, std::uint32_t arrays,
  std::uint32_t room, const ScanTotals& totals)
{
  const ScanConstants push{ room, scanBlocks(room), totals.count, totals.splitElement, totals.split, totals.sum };
  const Specialization specialization = scanSpecialization();
  commands.dispatch(kernels.get(shaders::ReduceBlocks, specialization), bindings, push, push.blockCount, arrays);
  commands.dispatch(kernels.get(shaders::ScanElements, specialization), bindings, push, push.blockCount, arrays);
}

}
