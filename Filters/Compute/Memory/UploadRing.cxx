// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Memory/UploadRing.h"

#include "Compute/System/Error.h"
#include "Compute/System/Parallel.h"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>
#include <utility>

namespace vmc
{

// The upload of one array in parts; part p uses slot p % slots. Workers fill slots. The thread that calls run() submits
// the copies in order, all filled parts at once, as a submission takes as long as the copy of half a megabyte.
class Upload
{
public:
  Upload(UploadRing& ring, const std::byte* from, const Region& to); // to.size bytes

  // Returns or throws when all threads have ended and the device no longer uses the ring. Throws the first failure.
  void run();

private:
  void startWorkers(std::vector<std::thread>& workers);
  void work();
  std::optional<std::size_t> claim();
  void fill(std::size_t part);
  void submitAll(bool hasWorkers);
  std::size_t awaitFilled(std::size_t part);
  void submit(std::size_t first, std::size_t end);
  void record(const vk::raii::CommandBuffer& commands, std::size_t first, std::size_t end) const;
  void awaitDrained(std::uint64_t batch) const;
  void fail(std::exception_ptr failure);

  UploadRing::Slot& slotOf(std::size_t part) const { return this->Ring.Slots[part % this->Ring.Slots.size()]; }
  std::uint64_t offsetOf(std::size_t part) const { return part * this->PartBytes; }
  std::uint64_t bytesOf(std::size_t part) const { return std::min(this->PartBytes, this->Size - this->offsetOf(part)); }

  UploadRing& Ring;
  const std::byte* From;
  const std::uint64_t Size;
  const Region To;
  const std::uint64_t PartBytes;
  const std::size_t Parts;

  std::mutex Mutex; // guards the members below
  std::condition_variable SlotFilled, SlotSubmitted;
  std::size_t ClaimedParts = 0;        // by workers
  std::vector<std::size_t> PartInSlot; // PartInSlot[slot]: 1 + the last part copied into it; 0: none
  std::size_t SubmittedParts = 0;
  std::exception_ptr Failure;
};

Upload::Upload(UploadRing& ring, const std::byte* from, const Region& to)
  : Ring(ring)
  , From(from)
  , Size(to.size)
  , To(to)
  , PartBytes(ring.Slots.front().staging.size)
  , Parts(static_cast<std::size_t>((to.size + PartBytes - 1) / PartBytes))
  , PartInSlot(ring.Slots.size(), 0)
{
}

void Upload::run()
{
  std::vector<std::thread> workers;
  this->startWorkers(workers);
  try
  {
    this->submitAll(!workers.empty());
  }
  catch (...)
  {
    this->fail(std::current_exception());
  }
  for (std::thread& worker : workers)
    worker.join();
  try
  {
    this->awaitDrained(this->Ring.SubmittedBatches); // also after a failure: copies may still run
  }
  catch (...)
  {
    this->fail(std::current_exception());
  }
  if (this->Failure)
    std::rethrow_exception(this->Failure);
}

// A single part needs no worker. Without any worker, the calling thread fills the slots.
void Upload::startWorkers(std::vector<std::thread>& workers)
{
  const std::size_t count = this->Parts > 1 ? std::min<std::size_t>(this->Ring.Threads, this->Parts) : 0;
  workers.reserve(count);
  try
  {
    while (workers.size() < count)
      workers.emplace_back([this] { this->work(); });
  }
  catch (const std::exception&)
  {
    // The workers that have started do the work.
  }
}

void Upload::work()
{
  try
  {
    while (const std::optional<std::size_t> part = this->claim())
      this->fill(*part);
  }
  catch (...)
  {
    this->fail(std::current_exception());
  }
}

// Returns the next part after the previous part of its slot has been submitted, which sets the slot's batch. Empty if
// no part is left or after a failure.
std::optional<std::size_t> Upload::claim()
{
  std::unique_lock<std::mutex> lock(this->Mutex);
  if (this->ClaimedParts == this->Parts)
    return std::nullopt;
  const std::size_t part = this->ClaimedParts++;
  this->SlotSubmitted.wait(
    lock, [&] { return this->Failure || part < this->SubmittedParts + this->Ring.Slots.size(); });
  return this->Failure ? std::nullopt : std::optional<std::size_t>(part);
}

void Upload::fill(std::size_t part)
{
  const UploadRing::Slot& slot = this->slotOf(part);
  this->awaitDrained(slot.batch);
  std::memcpy(slot.staging.buffer->mapped() + slot.staging.offset, this->From + this->offsetOf(part),
    static_cast<std::size_t>(this->bytesOf(part)));
  const std::lock_guard<std::mutex> lock(this->Mutex);
  this->PartInSlot[part % this->Ring.Slots.size()] = part + 1;
  this->SlotFilled.notify_one();
}

void Upload::submitAll(bool hasWorkers)
{
  for (std::size_t part = 0, end = 0; part < this->Parts; part = end)
  {
    if (!hasWorkers)
      this->fill(part);
    end = this->awaitFilled(part);
    this->submit(part, end);
  }
}

// Waits until `part` is filled; returns the end of the filled parts that follow. At most a quarter of the ring is one
// batch, as all slots of a batch become free together. Throws the failure of a worker.
std::size_t Upload::awaitFilled(std::size_t part)
{
  const auto isFilled = [this](std::size_t p) { return this->PartInSlot[p % this->PartInSlot.size()] == p + 1; };
  const std::size_t most = std::min(this->Parts, part + std::max<std::size_t>(this->Ring.Slots.size() / 4, 1));
  std::unique_lock<std::mutex> lock(this->Mutex);
  this->SlotFilled.wait(lock, [&] { return this->Failure || isFilled(part); });
  if (this->Failure)
    std::rethrow_exception(this->Failure);
  std::size_t end = part + 1;
  while (end < most && isFilled(end))
    ++end;
  return end;
}

void Upload::submit(std::size_t first, std::size_t end)
{
  const vk::raii::CommandBuffer& commands = this->slotOf(first).commands;
  this->record(commands, first, end);
  const std::uint64_t batch = this->Ring.SubmittedBatches + 1;
  const vk::Fence fence = *this->Ring.Fences[batch % this->Ring.Fences.size()];
  const vk::CommandBuffer buffer = *commands;
  this->Ring.Owner.handle().resetFences(fence);
  this->Ring.Owner.submit(vk::SubmitInfo({}, {}, buffer), fence);
  this->Ring.SubmittedBatches = batch;
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    for (std::size_t part = first; part < end; ++part)
      this->slotOf(part).batch = batch;
    this->SubmittedParts = end;
  }
  this->SlotSubmitted.notify_all();
}

// Only the last batch has a barrier: it covers the copies of all earlier batches.
void Upload::record(const vk::raii::CommandBuffer& commands, std::size_t first, std::size_t end) const
{
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  commands.reset(); // an error may have left the last recording open
  commands.begin({ vk::CommandBufferUsageFlagBits::eOneTimeSubmit });
  for (std::size_t part = first; part < end; ++part)
  {
    const Region& staging = this->slotOf(part).staging;
    commands.copyBuffer(staging.buffer->handle(), this->To.buffer->handle(),
      vk::BufferCopy(staging.offset, this->To.offset + this->offsetOf(part), this->bytesOf(part)));
  }
  if (end == this->Parts)
    commands.pipelineBarrier(Stage::eTransfer, Stage::eComputeShader | Stage::eTransfer, {},
      vk::MemoryBarrier(Access::eTransferWrite, Access::eShaderRead | Access::eTransferRead | Access::eTransferWrite),
      {}, {});
  commands.end();
}

// Only one thread waits for the device, the others wait for the lock: drivers are slow if many threads wait.
void Upload::awaitDrained(std::uint64_t batch) const
{
  const std::lock_guard<std::mutex> lock(this->Ring.DrainedMutex);
  for (; this->Ring.DrainedBatches < batch; ++this->Ring.DrainedBatches)
    this->Ring.Owner.wait(*this->Ring.Fences[(this->Ring.DrainedBatches + 1) % this->Ring.Fences.size()]);
}

// Stores the first failure and wakes all waiting threads.
void Upload::fail(std::exception_ptr failure)
{
  {
    const std::lock_guard<std::mutex> lock(this->Mutex);
    if (!this->Failure)
      this->Failure = std::move(failure);
  }
  this->SlotFilled.notify_all();
  this->SlotSubmitted.notify_all();
}

UploadRing::UploadRing(Device& device, const Shape& shape)
  : Owner(device)
  , MostSlots(shape)
  , Threads(shape.threads != 0 ? shape.threads : copyThreads())
  , Pool(Owner.handle(), { vk::CommandPoolCreateFlagBits::eResetCommandBuffer, Owner.queueFamily() })
{
}

// After a failure, the pending batches may have no end: then the slots stay as they are.
void UploadRing::growTo(std::size_t slots)
{
  if (slots <= this->Slots.size() || this->SubmittedBatches != this->DrainedBatches)
    return;
  const std::size_t more = slots - this->Slots.size();
  const std::uint64_t bytes = this->MostSlots.slotBytes;
  const Buffer& staging = this->Staging.emplace_back(this->Owner, bytes * more, Buffer::Memory::Upload, "upload ring");
  vk::raii::CommandBuffers commands(
    this->Owner.handle(), { *this->Pool, vk::CommandBufferLevel::ePrimary, static_cast<std::uint32_t>(more) });
  for (std::size_t i = 0; i < more; ++i)
  {
    this->Fences.emplace_back(this->Owner.handle(), vk::FenceCreateInfo());
    this->Slots.push_back({ std::move(commands[i]), Region(staging, i * bytes, bytes), 0 });
  }
}

void UploadRing::copy(const std::byte* from, std::uint64_t sizeInBytes, const Buffer& to, std::uint64_t toOffset)
{
  const std::lock_guard<std::mutex> lock(this->Mutex);
  try
  {
    const std::uint64_t parts = (sizeInBytes + this->MostSlots.slotBytes - 1) / this->MostSlots.slotBytes;
    this->growTo(static_cast<std::size_t>(std::clamp<std::uint64_t>(parts, 1, this->MostSlots.slots)));
    Upload(*this, from, Region(to, toOffset, sizeInBytes)).run();
  }
  catch (const vk::SystemError& error)
  {
    throw errorFrom(error, this->Owner.traits().name + " failed");
  }
}

}
