// Host blocks that are used again and stay imported.
#ifndef vmcHostBlocks_h
#define vmcHostBlocks_h

#include "Compute/Memory/HostBlock.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace vmc
{

class Buffer;
class Device;

// The blocks that a device writes its output to. A fresh block costs several times what the transfer into it does: the
// system clears its pages when they are first touched, and the device pins them when it imports them. So blocks come
// back here when their receiver ends them, import and all, and are taken again.
//
// What it keeps: blocks taken and free blocks together never exceed the most that was taken at once in one of the last
// few runs; the blocks that came back first go first. Without a user (see Use) nothing is kept. When the pool ends, its
// imports end, and the blocks that are still taken become ordinary memory.
//
// May be used by several threads at once.
class HostMemoryPool
{
public:
  // device: what the blocks are imported to, which outlives the pool; null: they are not.
  explicit HostMemoryPool(const Device* device);
  ~HostMemoryPool();
  HostMemoryPool(const HostMemoryPool&) = delete;
  HostMemoryPool& operator=(const HostMemoryPool&) = delete;

  // A block of at least `sizeInBytes` bytes, with any contents: one that came back, if it is at most a quarter larger.
  // Size 0 is an empty block. Throws Error OutOfMemory.
  HostBlock take(std::size_t sizeInBytes);

  // The block, taken here and still owned by it, as a buffer of its capacity; made when first asked for. Valid as long
  // as the block is. Null if the block is empty or the device cannot or will not import it.
  const Buffer* importOf(const HostBlock& block);

  // Blocks are kept while one of these exists.
  class Use
  {
  public:
    explicit Use(HostMemoryPool& blocks);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

  private:
    HostMemoryPool& Blocks;
  };

  // A run of some user begins: the oldest run is forgotten.
  void beginRun();

  std::size_t takenBytes() const;
  std::size_t freeBytes() const;

private:
  friend void recycle(void*) noexcept;

  struct Place
  {
    std::size_t capacity = 0;
    bool wasImported = false;       // or refused
    std::unique_ptr<Buffer> import; // null: refused, or not asked for yet
  };

  static constexpr std::size_t RunsRemembered = 8;

  HostBlock takeFree(std::size_t sizeInBytes);
  HostBlock makeFresh(std::size_t sizeInBytes);
  bool giveBack(std::byte* memory);
  void importInto(Place& place, const HostBlock& block) const;
  std::size_t bytesToKeep() const;
  void releaseSurplus();

  const Device* Owner;
  std::map<std::byte*, Place> Places; // of all blocks, taken and free
  std::vector<std::byte*> Free;       // that came back first, first
  std::size_t TakenBytes = 0;
  std::size_t FreeBytes = 0;
  std::array<std::size_t, RunsRemembered> MostTaken{}; // in each run, the current one first
  std::size_t Users = 0;
};

}

#endif
