#include "Commands.h"

#include "Error.h"

#include <algorithm>

namespace vmc
{

namespace
{

// Enough for the longest submission, EmitPoints to Download with some attributes; begin() starts afresh.
constexpr std::uint32_t MaxDispatches = 256;
constexpr std::uint32_t MaxDescriptors = 16 * MaxDispatches;
constexpr std::uint32_t MaxStages = 64;

Error::Kind kindOf(vk::Result result)
{
  switch (result)
  {
    case vk::Result::eErrorDeviceLost:
      return Error::Kind::DeviceLost;
    case vk::Result::eErrorOutOfDeviceMemory:
    case vk::Result::eErrorOutOfHostMemory:
      return Error::Kind::OutOfMemory;
    default:
      return Error::Kind::Internal;
  }
}

}

Commands::Commands(const Device& device)
  : Owner(device)
  , Pool(device.handle(), { vk::CommandPoolCreateFlagBits::eResetCommandBuffer, device.queueFamily() })
  , Done(device.handle(), vk::FenceCreateInfo())
{
  vk::raii::CommandBuffers buffers(device.handle(), { *this->Pool, vk::CommandBufferLevel::ePrimary, 1 });
  this->CommandBuffer = std::move(buffers.front());
  const vk::DescriptorPoolSize size(vk::DescriptorType::eStorageBuffer, MaxDescriptors);
  this->Descriptors = vk::raii::DescriptorPool(device.handle(), vk::DescriptorPoolCreateInfo({}, MaxDispatches, size));
  if (device.timestampMilliseconds() > 0)
    this->Timestamps = vk::raii::QueryPool(device.handle(), { {}, vk::QueryType::eTimestamp, MaxStages + 1 });
}

void Commands::begin()
{
  this->CommandBuffer.reset(); // a recording that an error cut short is still open
  this->Descriptors.reset();
  this->StageNames.clear();
  this->CommandBuffer.begin({ vk::CommandBufferUsageFlagBits::eOneTimeSubmit });
  if (this->Owner.timestampMilliseconds() > 0)
    this->CommandBuffer.resetQueryPool(*this->Timestamps, 0, MaxStages + 1);
}

void Commands::stage(const char* name)
{
  this->stamp();
  this->StageNames.push_back(name);
}

// A time stamp: the end of the stage before and the start of the next.
void Commands::stamp()
{
  if (this->StageNames.size() > MaxStages)
    throw Error(Error::Kind::Internal, "More than " + std::to_string(MaxStages) + " stages in one submission.");
  if (this->Owner.timestampMilliseconds() > 0)
    this->CommandBuffer.writeTimestamp(
      vk::PipelineStageFlagBits::eBottomOfPipe, *this->Timestamps, static_cast<std::uint32_t>(this->StageNames.size()));
}

vk::DescriptorSet Commands::describe(const Kernel& kernel, const Bindings& available)
{
  // Sets of the pool are not freed one by one: begin() resets it whole.
  const vk::DescriptorSetAllocateInfo info(*this->Descriptors, *kernel.setLayout());
  const vk::DescriptorSet set =
    (*this->Owner.handle()).allocateDescriptorSets(info, *this->Owner.handle().getDispatcher()).front();
  std::vector<vk::DescriptorBufferInfo> buffers;
  std::vector<vk::WriteDescriptorSet> writes;
  buffers.reserve(kernel.bindings().size());
  for (const std::uint32_t binding : kernel.bindings())
  {
    const auto found = available.find(binding);
    if (found == available.end() || found->second.buffer->size() == 0)
      throw Error(Error::Kind::Internal,
        std::string(kernel.name()) + " lacks a buffer at binding " + std::to_string(binding) + ".");
    const Region& region = found->second;
    if (region.size > this->Owner.limits().maxBindingBytes)
      throw Error(Error::Kind::OutOfMemory, std::string(kernel.name()) + " needs " + std::to_string(region.size) +
                                              " bytes at binding " + std::to_string(binding) + "; this device allows " +
                                              std::to_string(this->Owner.limits().maxBindingBytes) + ".");
    buffers.emplace_back(region.buffer->handle(), region.offset, region.size);
    writes.emplace_back(set, binding, 0, 1, vk::DescriptorType::eStorageBuffer, nullptr, &buffers.back());
  }
  this->Owner.handle().updateDescriptorSets(writes, {});
  return set;
}

void Commands::dispatchBytes(const Kernel& kernel, const Bindings& available, const void* push, std::uint32_t pushBytes,
  std::uint64_t groups, std::uint32_t arrays)
{
  const std::uint64_t maxGroups = this->Owner.limits().maxGroups;
  const std::uint64_t across = std::min(groups, maxGroups);
  const std::uint64_t down = across == 0 ? 0 : (groups + across - 1) / across;
  if (down == 0)
    return;
  if (down > maxGroups || (down > 1 && arrays > 1))
    throw Error(Error::Kind::Unsupported, std::string(kernel.name()) + " needs " + std::to_string(groups) +
                                            " groups; this device allows " + std::to_string(maxGroups) +
                                            " along an axis.");
  const vk::DescriptorSet set = this->describe(kernel, available);
  this->CommandBuffer.bindPipeline(vk::PipelineBindPoint::eCompute, kernel.pipeline());
  this->CommandBuffer.bindDescriptorSets(vk::PipelineBindPoint::eCompute, kernel.layout(), 0, set, {});
  this->CommandBuffer.pushConstants<std::uint32_t>(kernel.layout(), vk::ShaderStageFlagBits::eCompute, 0,
    vk::ArrayProxy<const std::uint32_t>(pushBytes / 4, static_cast<const std::uint32_t*>(push)));
  this->CommandBuffer.dispatch(
    static_cast<std::uint32_t>(across), arrays > 1 ? arrays : static_cast<std::uint32_t>(down), 1);
  this->barrier();
}

// Each pass reads what the one before wrote, so one full barrier after every write loses nothing: kernels and copies
// that follow wait, and so does the host.
void Commands::barrier()
{
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  const vk::MemoryBarrier memory(Access::eShaderWrite | Access::eTransferWrite,
    Access::eShaderRead | Access::eShaderWrite | Access::eTransferRead | Access::eTransferWrite | Access::eHostRead);
  this->CommandBuffer.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer,
    Stage::eComputeShader | Stage::eTransfer | Stage::eHost, {}, memory, {}, {});
}

void Commands::copy(const Region& from, const Buffer& to, std::uint64_t toOffset)
{
  this->CommandBuffer.copyBuffer(from.buffer->handle(), to.handle(), vk::BufferCopy(from.offset, toOffset, from.size));
  this->barrier();
}

void Commands::fill(const Buffer& buffer, std::uint32_t word)
{
  this->CommandBuffer.fillBuffer(buffer.handle(), 0, VK_WHOLE_SIZE, word);
  this->barrier();
}

void Commands::update(const Buffer& buffer, const void* data, std::uint64_t sizeInBytes)
{
  this->CommandBuffer.updateBuffer(buffer.handle(), 0,
    vk::ArrayProxy<const std::uint32_t>(
      static_cast<std::uint32_t>(sizeInBytes / 4), static_cast<const std::uint32_t*>(data)));
  this->barrier();
}

void Commands::submitAndWait(std::vector<StageTime>& times)
{
  try
  {
    this->stamp();
    this->CommandBuffer.end();
    const vk::CommandBuffer buffer = *this->CommandBuffer;
    this->Owner.handle().resetFences(*this->Done);
    this->Owner.queue().submit(vk::SubmitInfo({}, {}, buffer), *this->Done);
    if (this->Owner.handle().waitForFences(*this->Done, VK_TRUE, ~0ull) != vk::Result::eSuccess)
      throw Error(Error::Kind::Internal, this->Owner.traits().name + " did not finish.");
  }
  catch (const vk::SystemError& error)
  {
    const auto result = static_cast<vk::Result>(error.code().value());
    throw Error(kindOf(result), this->Owner.traits().name + " failed: " + error.what() + ".", error.code().value());
  }
  this->readTimes(times);
}

void Commands::readTimes(std::vector<StageTime>& times)
{
  const std::uint32_t stages = static_cast<std::uint32_t>(this->StageNames.size());
  if (this->Owner.timestampMilliseconds() == 0 || stages == 0)
    return;
  const auto [result, ticks] =
    this->Timestamps.getResults<std::uint64_t>(0, stages + 1, (stages + 1) * sizeof(std::uint64_t),
      sizeof(std::uint64_t), vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait);
  for (std::uint32_t stage = 0; result == vk::Result::eSuccess && stage < stages; ++stage)
    addTime(times, this->StageNames[stage],
      double((ticks[stage + 1] - ticks[stage]) & this->Owner.timestampMask()) * this->Owner.timestampMilliseconds());
}

}
