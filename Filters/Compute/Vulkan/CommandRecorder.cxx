// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Compute/Vulkan/CommandRecorder.h"

#include "Compute/System/Error.h"
#include "Compute/System/Stage.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace vmc
{

namespace
{

constexpr std::uint32_t MaxStages = 64;
constexpr std::uint64_t CopyAlignment = 256, CopyUnit = 8, LargeCopy = 1 << 20; // bytes
constexpr double PollMilliseconds = 2;

// Throws Internal if the bindings that the caller named differ from those that the kernel declares. One bit per
// binding. The message names the lowest binding that differs.
void checkNamed(const Kernel& kernel, const char* access, BindingMask declared, BindingMask named)
{
  if (declared == named)
    return;
  const std::string name = kernel.name();
  for (std::uint32_t binding = 0; binding < BINDING_COUNT; ++binding)
  {
    const bool isDeclared = (declared >> binding & 1u) != 0, isNamed = (named >> binding & 1u) != 0;
    if (isDeclared && !isNamed)
      throw Error(
        Error::Kind::Internal, name + " has no buffer to " + access + " at binding " + std::to_string(binding) + ".");
    if (isNamed && !isDeclared)
      throw Error(Error::Kind::Internal, name + " does not " + access + " binding " + std::to_string(binding) + ".");
  }
}

}

CommandRecorder::CommandRecorder(Device& device)
  : Owner(device)
  , Sets(device)
  , Pool(device.handle(), { vk::CommandPoolCreateFlagBits::eResetCommandBuffer, device.queueFamily() })
  , DoneFence(device.handle(), vk::FenceCreateInfo())
{
  vk::raii::CommandBuffers buffers(device.handle(), { *this->Pool, vk::CommandBufferLevel::ePrimary, 1 });
  this->CommandBuffer = std::move(buffers.front());
  if (device.timestampMilliseconds() > 0)
    this->Timestamps = vk::raii::QueryPool(device.handle(), { {}, vk::QueryType::eTimestamp, MaxStages + 1 });
}

void CommandRecorder::begin(bool timed)
{
  this->IsTimed = timed && this->Owner.timestampMilliseconds() > 0;
  this->CommandBuffer.reset(); // an error may have left the last recording open
  this->Sets.trim();
  this->IsConcurrent = this->HasConcurrentWork = this->MayHaveNewSizes = false;
  this->Stages.clear();
  this->IsEmpty = true;
  this->CommandBuffer.begin({ vk::CommandBufferUsageFlagBits::eOneTimeSubmit });
  if (this->IsTimed)
    this->CommandBuffer.resetQueryPool(*this->Timestamps, 0, MaxStages + 1);
}

void CommandRecorder::stage(Stage stage)
{
  if (!this->Stages.empty() && this->Stages.back() == stage)
    return;
  this->stamp();
  this->Stages.push_back(stage);
}

// Records a timestamp: the end of one timed stage and the start of the next.
void CommandRecorder::stamp()
{
  if (this->Stages.size() > MaxStages)
    throw Error(Error::Kind::Internal, "More than " + std::to_string(MaxStages) + " stages in one submission.");
  if (this->IsTimed)
    this->CommandBuffer.writeTimestamp(
      vk::PipelineStageFlagBits::eBottomOfPipe, *this->Timestamps, static_cast<std::uint32_t>(this->Stages.size()));
}

void CommandRecorder::dispatchBytes(const Kernel& kernel, const Bindings& reads, const Bindings& writes,
  const Push& push, std::uint64_t groups, std::uint32_t arrays)
{
  const std::uint64_t maxGroups = this->Owner.limits().maxGroups;
  const std::uint64_t groupsX = std::min(groups, maxGroups);
  const std::uint64_t groupsY = groupsX == 0 ? 0 : (groups + groupsX - 1) / groupsX;
  if (groupsY == 0)
    return;
  if (groupsY > maxGroups || (groupsY > 1 && arrays > 1))
    throw Error(Error::Kind::Unsupported, std::string(kernel.name()) + " needs " + std::to_string(groups) +
                                            " workgroups; this device allows " + std::to_string(maxGroups) +
                                            " along an axis.");
  this->bind(kernel, reads, writes, push);
  this->CommandBuffer.dispatch(
    static_cast<std::uint32_t>(groupsX), arrays > 1 ? arrays : static_cast<std::uint32_t>(groupsY), 1);
  this->barrier();
}

void CommandRecorder::bind(const Kernel& kernel, const Bindings& reads, const Bindings& writes, const Push& push)
{
  checkNamed(kernel, "read", kernel.masks().read, reads.mask());
  checkNamed(kernel, "write", kernel.masks().written, writes.mask());
  Bindings operands = reads;
  operands.set(writes);
  const vk::DescriptorSet set = this->Sets.get(kernel, operands);
  ++this->Owner.work().dispatches;
  this->MayHaveNewSizes |= (kernel.masks().written >> BINDING_DISPATCH & 1u) != 0;
  this->CommandBuffer.bindPipeline(vk::PipelineBindPoint::eCompute, kernel.pipeline());
  this->CommandBuffer.bindDescriptorSets(vk::PipelineBindPoint::eCompute, kernel.layout(), 0, set, {});
  this->CommandBuffer.pushConstants<std::uint32_t>(kernel.layout(), vk::ShaderStageFlagBits::eCompute, 0,
    vk::ArrayProxy<const std::uint32_t>(push.bytes / 4, static_cast<const std::uint32_t*>(push.data)));
}

void CommandRecorder::dispatchIndirect(const Region& groups)
{
  this->CommandBuffer.dispatchIndirect(groups.buffer->handle(), groups.offset);
  this->barrier();
}

void CommandRecorder::beginConcurrent()
{
  this->IsConcurrent = true;
}

void CommandRecorder::endConcurrent()
{
  this->IsConcurrent = false;
  if (std::exchange(this->HasConcurrentWork, false))
    this->barrier();
}

// Makes later kernels and copies wait for all earlier writes. One barrier for all memory suffices, as each pass reads
// what the previous pass wrote. The device reads the sizes of indirect dispatches earlier than it runs their kernels;
// this reading waits only if sizes may have been written since the last barrier, because the wait takes 2 us (H200).
void CommandRecorder::barrier()
{
  this->IsEmpty = false;
  this->HasConcurrentWork = this->IsConcurrent;
  if (this->IsConcurrent)
    return;
  ++this->Owner.work().barriers;
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  vk::PipelineStageFlags stages = Stage::eComputeShader | Stage::eTransfer;
  vk::MemoryBarrier memory(Access::eShaderWrite | Access::eTransferWrite,
    Access::eShaderRead | Access::eShaderWrite | Access::eUniformRead | Access::eTransferRead | Access::eTransferWrite);
  if (std::exchange(this->MayHaveNewSizes, false))
  {
    ++this->Owner.work().sizeBarriers;
    stages |= Stage::eDrawIndirect;
    memory.dstAccessMask |= Access::eIndirectCommandRead;
  }
  this->CommandBuffer.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer, stages, {}, memory, {}, {});
}

// Recorded at the end of a submission only: the device may have to write back its caches.
void CommandRecorder::letHostRead()
{
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  const vk::MemoryBarrier memory(Access::eShaderWrite | Access::eTransferWrite, Access::eHostRead);
  this->CommandBuffer.pipelineBarrier(
    Stage::eComputeShader | Stage::eTransfer, Stage::eHost | Stage::eTransfer, {}, memory, {}, {});
}

void CommandRecorder::copy(const Region& from, const Buffer& to, std::uint64_t toOffset)
{
  this->Owner.work().copiedBytes += from.size;
  // A copy to host memory that begins between multiples of CopyAlignment has half the speed, and one whose size is no
  // multiple of CopyUnit has 0.6 to 0.9 of it (NVIDIA H200). So what is before the first multiple, and the end of a
  // large copy, are copies of their own.
  const std::uint64_t toBoundary = (CopyAlignment - toOffset % CopyAlignment) % CopyAlignment;
  const bool mayAlign = toBoundary < from.size && (toOffset - from.offset) % CopyAlignment == 0;
  const std::uint64_t head = mayAlign ? toBoundary : 0;
  const std::uint64_t tail = from.size < LargeCopy ? 0 : (from.size - head) % CopyUnit;
  std::vector<vk::BufferCopy> parts;
  std::uint64_t done = 0;
  for (const std::uint64_t size : { head, from.size - head - tail, tail })
    if (size != 0)
    {
      parts.emplace_back(from.offset + done, toOffset + done, size);
      done += size;
    }
  this->CommandBuffer.copyBuffer(from.buffer->handle(), to.handle(), parts);
  this->barrier();
}

void CommandRecorder::fill(const Region& region, std::uint32_t word)
{
  this->CommandBuffer.fillBuffer(region.buffer->handle(), region.offset, region.size, word);
  this->barrier();
}

void CommandRecorder::update(const Buffer& buffer, const void* data, std::uint64_t sizeInBytes, std::uint64_t toOffset)
{
  this->CommandBuffer.updateBuffer(buffer.handle(), toOffset,
    vk::ArrayProxy<const std::uint32_t>(
      static_cast<std::uint32_t>(sizeInBytes / 4), static_cast<const std::uint32_t*>(data)));
  this->MayHaveNewSizes = true; // the data may be sizes
  this->barrier();
}

void CommandRecorder::submitAndWait(StageTimes& times, const std::function<void()>& meanwhile)
{
  try
  {
    this->stamp();
    this->letHostRead();
    this->CommandBuffer.end();
    if (!this->IsEmpty)
      this->submit();
    std::exception_ptr failure;
    try
    {
      if (meanwhile)
        meanwhile();
    }
    catch (...)
    {
      failure = std::current_exception();
    }
    if (!this->IsEmpty)
    {
      this->Owner.wait(*this->DoneFence, PollMilliseconds);
      this->readTimes(times);
    }
    if (failure)
      std::rethrow_exception(failure);
  }
  catch (const vk::SystemError& error)
  {
    throw errorFrom(error, this->Owner.traits().name + " failed");
  }
}

void CommandRecorder::submit()
{
  const vk::CommandBuffer buffer = *this->CommandBuffer;
  this->Owner.handle().resetFences(*this->DoneFence);
  this->Owner.submit(vk::SubmitInfo({}, {}, buffer), *this->DoneFence);
}

void CommandRecorder::readTimes(StageTimes& times)
{
  const std::uint32_t stages = static_cast<std::uint32_t>(this->Stages.size());
  if (!this->IsTimed || stages == 0)
    return;
  const auto [result, ticks] =
    this->Timestamps.getResults<std::uint64_t>(0, stages + 1, (stages + 1) * sizeof(std::uint64_t),
      sizeof(std::uint64_t), vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait);
  for (std::uint32_t stage = 0; result == vk::Result::eSuccess && stage < stages; ++stage)
    times.add(this->Stages[stage],
      double((ticks[stage + 1] - ticks[stage]) & this->Owner.timestampMask()) * this->Owner.timestampMilliseconds());
}

}
