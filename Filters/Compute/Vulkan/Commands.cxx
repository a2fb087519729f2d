#include "Compute/Vulkan/Commands.h"

#include "Compute/System/Error.h"
#include "Compute/System/HostClock.h"

#include <algorithm>
#include <exception>

namespace vmc
{

namespace
{

constexpr std::uint32_t MaxStages = 64;

// What the work throws; null: nothing.
std::exception_ptr failureOf(const std::function<void()>& work)
{
  try
  {
    work();
    return nullptr;
  }
  catch (...)
  {
    return std::current_exception();
  }
}

}

Commands::Commands(const Device& device)
  : Owner(device)
  , Sets(device)
  , Pool(device.handle(), { vk::CommandPoolCreateFlagBits::eResetCommandBuffer, device.queueFamily() })
  , Done(device.handle(), vk::FenceCreateInfo())
{
  vk::raii::CommandBuffers buffers(device.handle(), { *this->Pool, vk::CommandBufferLevel::ePrimary, 1 });
  this->CommandBuffer = std::move(buffers.front());
  if (device.timestampMilliseconds() > 0)
    this->Timestamps = vk::raii::QueryPool(device.handle(), { {}, vk::QueryType::eTimestamp, MaxStages + 1 });
}

void Commands::begin(bool timed)
{
  this->IsTimed = timed && this->Owner.timestampMilliseconds() > 0;
  this->CommandBuffer.reset(); // a recording that an error cut short is still open
  this->Sets.trim();
  this->Concurrent = false;
  this->StageNames.clear();
  this->IsEmpty = true;
  this->CommandBuffer.begin({ vk::CommandBufferUsageFlagBits::eOneTimeSubmit });
  if (this->IsTimed)
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
  if (this->IsTimed)
    this->CommandBuffer.writeTimestamp(
      vk::PipelineStageFlagBits::eBottomOfPipe, *this->Timestamps, static_cast<std::uint32_t>(this->StageNames.size()));
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
  this->bind(kernel, available, push, pushBytes);
  this->CommandBuffer.dispatch(
    static_cast<std::uint32_t>(across), arrays > 1 ? arrays : static_cast<std::uint32_t>(down), 1);
  this->barrier();
}

void Commands::bind(const Kernel& kernel, const Bindings& available, const void* push, std::uint32_t pushBytes)
{
  const vk::DescriptorSet set = this->Sets.get(kernel, available);
  this->CommandBuffer.bindPipeline(vk::PipelineBindPoint::eCompute, kernel.pipeline());
  this->CommandBuffer.bindDescriptorSets(vk::PipelineBindPoint::eCompute, kernel.layout(), 0, set, {});
  this->CommandBuffer.pushConstants<std::uint32_t>(kernel.layout(), vk::ShaderStageFlagBits::eCompute, 0,
    vk::ArrayProxy<const std::uint32_t>(pushBytes / 4, static_cast<const std::uint32_t*>(push)));
}

void Commands::dispatchIndirect(const Region& groups)
{
  this->CommandBuffer.dispatchIndirect(groups.buffer->handle(), groups.offset);
  this->barrier();
}

void Commands::beginConcurrent()
{
  this->Concurrent = true;
}

void Commands::endConcurrent()
{
  this->Concurrent = false;
  this->barrier();
}

// Each pass reads what the one before wrote, so one full barrier after every write loses nothing: kernels and copies
// that follow wait.
void Commands::barrier()
{
  this->IsEmpty = false;
  if (this->Concurrent)
    return;
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  const vk::MemoryBarrier memory(Access::eShaderWrite | Access::eTransferWrite,
    Access::eShaderRead | Access::eShaderWrite | Access::eUniformRead | Access::eTransferRead | Access::eTransferWrite |
      Access::eIndirectCommandRead);
  this->CommandBuffer.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer,
    Stage::eComputeShader | Stage::eTransfer | Stage::eDrawIndirect, {}, memory, {}, {});
}

// Once, at the end: the device may have to write back its caches for it.
void Commands::letHostRead()
{
  using Stage = vk::PipelineStageFlagBits;
  using Access = vk::AccessFlagBits;
  const vk::MemoryBarrier memory(Access::eShaderWrite | Access::eTransferWrite, Access::eHostRead);
  this->CommandBuffer.pipelineBarrier(Stage::eComputeShader | Stage::eTransfer, Stage::eHost, {}, memory, {}, {});
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

void Commands::submitAndWait(std::vector<StageTime>& times, const std::function<void()>& meanwhile)
{
  try
  {
    this->stamp();
    this->letHostRead();
    this->CommandBuffer.end();
    if (!this->IsEmpty)
      this->submit();
    std::exception_ptr failure = meanwhile ? failureOf(meanwhile) : nullptr;
    if (!this->IsEmpty)
    {
      this->wait();
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

// Being woken up takes longer than a short submission: at first this asks again and again, unless the device computes
// on the same processor.
void Commands::wait()
{
  constexpr double Patience = 2; // milliseconds
  const HostClock clock;
  while (this->Owner.traits().type != DeviceTraits::Type::Cpu && clock.milliseconds() < Patience)
    if (this->Done.getStatus() == vk::Result::eSuccess)
      return;
  if (this->Owner.handle().waitForFences(*this->Done, VK_TRUE, ~0ull) != vk::Result::eSuccess)
    throw Error(Error::Kind::Internal, this->Owner.traits().name + " did not finish.");
}

void Commands::submit()
{
  const vk::CommandBuffer buffer = *this->CommandBuffer;
  this->Owner.handle().resetFences(*this->Done);
  this->Owner.submit(vk::SubmitInfo({}, {}, buffer), *this->Done);
}

void Commands::readTimes(std::vector<StageTime>& times)
{
  const std::uint32_t stages = static_cast<std::uint32_t>(this->StageNames.size());
  if (!this->IsTimed || stages == 0)
    return;
  const auto [result, ticks] =
    this->Timestamps.getResults<std::uint64_t>(0, stages + 1, (stages + 1) * sizeof(std::uint64_t),
      sizeof(std::uint64_t), vk::QueryResultFlagBits::e64 | vk::QueryResultFlagBits::eWait);
  for (std::uint32_t stage = 0; result == vk::Result::eSuccess && stage < stages; ++stage)
    addTime(times, this->StageNames[stage],
      double((ticks[stage + 1] - ticks[stage]) & this->Owner.timestampMask()) * this->Owner.timestampMilliseconds());
}

}
