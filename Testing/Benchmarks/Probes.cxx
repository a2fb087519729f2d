#include "Probes.h"
#include "Embedded/Probes.h"

#include "Compute/System/HostClock.h"
#include "Compute/Vulkan/Buffer.h"
#include "Compute/Vulkan/Commands.h"
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
constexpr std::uint32_t Written = 1;              // in every word, before it is read

// Made when first used, so that a filter of rows that leaves the probes out takes no memory for them.
class Probe
{
public:
  explicit Probe(std::shared_ptr<Device> device)
    : Owner(std::move(device))
    , Recorder(*this->Owner)
    , Bytes(this->wholeGroups(std::min(MostBytes, this->Owner->limits().maxBindingBytes)))
    , OnDevice(*this->Owner, this->Budget, this->Bytes, Buffer::Memory::Device, "probed memory")
    , Result(*this->Owner, this->Budget, 4, Buffer::Memory::Device, "result of a probe")
    , Upload(*this->Owner, this->Budget, this->Bytes, Buffer::Memory::Upload, "probed memory of the host")
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

  // As the core's downloads: into imported memory if the device can.
  Buffer landing()
  {
    const std::uint64_t alignment = this->Owner->hostImportAlignment();
    if (alignment != 0 && this->Block.capacity() % alignment == 0 &&
        reinterpret_cast<std::uintptr_t>(this->Block.data()) % alignment == 0)
      return Buffer(*this->Owner, this->Block, "probed memory of the host");
    return Buffer(*this->Owner, this->Budget, this->Bytes, Buffer::Memory::Readback, "probed memory of the host");
  }

  double dispatch(const kernels::Words& kernel, std::uint32_t push)
  {
    this->Recorder.begin();
    this->Recorder.stage("Probe");
    this->Recorder.dispatch(this->Owner->kernels().get(kernel),
      { { BINDING_PROBED, this->OnDevice }, { BINDING_PROBE_RESULT, this->Result } }, push,
      this->Bytes / (PROBE_GROUP_VECTORS * 16ull));
    return this->finish();
  }

  double copy(const Buffer& from, const Buffer& to)
  {
    this->Recorder.begin();
    this->Recorder.stage("Probe");
    this->Recorder.copy(from, to);
    return this->finish();
  }

  // Milliseconds by the device's clock; by the host's where it has none.
  double finish()
  {
    std::vector<StageTime> times;
    const HostClock clock;
    this->Recorder.submitAndWait(times);
    return times.empty() ? clock.milliseconds() : times.front().milliseconds;
  }

  std::shared_ptr<Device> Owner;
  MemoryBudget Budget;
  Commands Recorder;
  std::uint64_t Bytes;
  Buffer OnDevice, Result, Upload;
  HostBlock Block; // outlives its import
  Buffer Readback;
};

}

void addProbes(const std::shared_ptr<Device>& device, int repetitions)
{
  const auto probe = std::make_shared<std::unique_ptr<Probe>>();
  const auto add = [&](const char* name, double (Probe::*run)())
  {
    addRow(std::string("probe/") + name, repetitions,
      [device, probe, run](benchmark::State& state)
      {
        if (!*probe)
          *probe = std::make_unique<Probe>(device);
        ((**probe).*run)(); // compiles the kernel, the first time
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
