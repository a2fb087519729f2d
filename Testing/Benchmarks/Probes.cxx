// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Probes.h"
#include "Embedded/Probes.h"

#include "Compute/Context.h"
#include "Compute/System/Stage.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/CommandRecorder.h"
#include "Compute/Vulkan/Kernel.h"
#include "ProbeConstants.h"
#include "Program.h"

#include <algorithm>
#include <cstring>

namespace vmc::benchmarks
{

namespace
{

constexpr std::uint64_t MostBytes = 256ull << 20; // several times the largest caches
constexpr std::uint32_t Written = 1;              // value of every word before the buffer is read

// Created on first use, so that it takes no memory if --benchmark_filter leaves the probes out.
class Probe
{
public:
  explicit Probe(std::shared_ptr<Context> context)
    : Shared(std::move(context))
    , Recorder(this->Shared->device())
    , Bytes(this->wholeGroups(std::min(MostBytes, this->Shared->device().limits().maxBindingBytes)))
    , OnDevice(this->Shared->device(), this->Bytes, Buffer::Memory::Device, "probed memory")
    , Result(this->Shared->device(), 4, Buffer::Memory::Device, "result of a probe")
    , Upload(this->Shared->device(), this->Bytes, Buffer::Memory::Upload, "probed memory of the host")
    , Block(this->Bytes)
    , Readback(this->landing())
  {
    std::memset(this->Upload.mapped(), 1, this->Bytes);
    this->write();
  }

  std::uint64_t bytes() const { return this->Bytes; }

  double read() { return this->dispatch(kernels::ProbeRead, ~0u); }
  double write() { return this->dispatch(kernels::ProbeWrite, Written); }
  double toDevice() { return this->copy(this->Upload, this->OnDevice); }
  double toHost() { return this->copy(this->OnDevice, this->Readback); }

private:
  static std::uint64_t wholeGroups(std::uint64_t bytes) { return bytes - bytes % (PROBE_GROUP_VECTORS * 16ull); }

  // The target of copies to the host. As in the core's downloads, it is imported host memory if the device supports
  // that.
  Buffer landing()
  {
    const std::uint64_t alignment = this->Shared->device().hostImportAlignment();
    if (alignment != 0 && this->Block.capacity() % alignment == 0 &&
        reinterpret_cast<std::uintptr_t>(this->Block.data()) % alignment == 0)
      return Buffer(this->Shared->device(), this->Block.data(), this->Block.capacity(), "probed memory of the host");
    return Buffer(this->Shared->device(), this->Bytes, Buffer::Memory::Readback, "probed memory of the host");
  }

  double dispatch(const kernels::Words& words, std::uint32_t push)
  {
    const Kernel& kernel = this->Shared->kernels().get(words);
    const Bindings operands{ { BINDING_PROBED, this->OnDevice }, { BINDING_PROBE_RESULT, this->Result } };
    this->Recorder.begin();
    this->Recorder.stage(Stage::Download); // a name for its time
    this->Recorder.dispatch(kernel, operands.only(kernel.masks().read), operands.only(kernel.masks().written), push,
      this->Bytes / (PROBE_GROUP_VECTORS * 16ull));
    return this->finish();
  }

  double copy(const Buffer& from, const Buffer& to)
  {
    this->Recorder.begin();
    this->Recorder.stage(Stage::Download); // a name for its time
    this->Recorder.copy(from, to);
    return this->finish();
  }

  // Milliseconds by the device's clock, or by the host's clock if the device has none.
  double finish()
  {
    StageTimes times;
    const HostClock clock;
    this->Recorder.submitAndWait(times);
    return times[Stage::Download].value_or(clock.milliseconds());
  }

  std::shared_ptr<Context> Shared;
  CommandRecorder Recorder;
  std::uint64_t Bytes;
  Buffer OnDevice, Result, Upload;
  HostBlock Block; // outlives its import
  Buffer Readback;
};

}

void addProbes(const std::shared_ptr<Context>& context, int repetitions)
{
  const auto probe = std::make_shared<std::unique_ptr<Probe>>();
  const auto add = [&](const char* name, double (Probe::*run)())
  {
    addRow(std::string("probe/") + name, repetitions,
      [context, probe, run](benchmark::State& state)
      {
        if (!*probe)
          *probe = std::make_unique<Probe>(context);
        ((**probe).*run)(); // the first run compiles the kernel
        const double milliseconds = ((**probe).*run)();
        state.counters["GB/s"] = double((*probe)->bytes()) / milliseconds / 1e6;
        state.counters["probe_bytes"] = double((*probe)->bytes());
        return milliseconds;
      });
  };
  add("read", &Probe::read);
  add("write", &Probe::write);
  add("host to device", &Probe::toDevice);
  add("device to host", &Probe::toHost);
}

}
