// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Executes the core many times with changing volumes and requests, on the CPU and on the first Vulkan device if there
// is one, and checks that neither open files nor memory grow, and that equal requests have equal results.
//
// usage: vmcSoak [--executions=N]
//
// N executions per engine, 300 unless stated. Every twentieth of them, a line is printed. In the first tenth, caches
// and pools are filled. The exit status is 1 if something grows afterwards, or if a result differs from the first one
// of its variant. Less than 300 executions are too few to see growth; then only results are compared.
#include "Compute/Context.h"
#include "Compute/Engine.h"
#include "Compute/Engine/DeviceEngine.h"
#include "Compute/Session.h"
#include "Support/AnalyticVolumes.h"
#include "Support/LevelViews.h"
#include "Support/RandomLevels.h"
#include "Support/Vectors.h"
#include "Support/View.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace
{

using namespace vmc;

// The executions whose requests differ. Later ones repeat them.
constexpr std::uint64_t Variants = 30;
// The first tenth of so many executions contains each variant.
constexpr std::uint64_t FewestToCompare = 10 * Variants;

// A hash of the bytes of a result.
class Digest
{
public:
  void add(const void* bytes, std::size_t sizeInBytes)
  {
    for (std::size_t i = 0; i < sizeInBytes; ++i) // FNV-1a
      this->Value = (this->Value ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001B3u;
  }
  void add(const HostBlock& block) { this->add(block.data(), block.size()); }
  template <class Number>
  void add(const std::vector<Number>& numbers)
  {
    this->add(numbers.data(), numbers.size() * sizeof(Number));
  }
  void add(const Mesh& mesh)
  {
    for (const HostBlock* block : { &mesh.positions, &mesh.positionsLow, &mesh.normals, &mesh.gradients,
           &mesh.triangleCells, &mesh.triangles, &mesh.offsets, &mesh.isovalues, &mesh.pointRegions })
      this->add(*block);
    for (const HostBlock& attribute : mesh.attributes)
      this->add(attribute);
    for (const SurfaceMeasures& measures : mesh.measures)
      this->add(&measures.area, sizeof measures.area + sizeof measures.volume);
  }
  std::uint64_t value() const { return this->Value; }

private:
  std::uint64_t Value = 0xCBF29CE484222325u;
};

// The inputs of an execution, which own their memory: noise of any type and size, some of it with flags, an attribute,
// a border and coordinates; and a hierarchy of levels.
struct Input
{
  test::Samples samples;
  std::vector<float> attribute;
  std::vector<std::uint8_t> flags;
  Volume volume;
  test::RandomLevels hierarchy;

  explicit Input(std::uint64_t variant)
    : samples(test::sampleNoise(sizeOf(variant), test::AllSampleTypes[variant % test::AllSampleTypes.size()], variant))
    , attribute(samples.count())
    , flags(samples.count(), 0)
    , volume(samples.volume())
    , hierarchy(test::randomLevels(variant))
  {
    for (std::size_t i = 0; i < this->attribute.size(); ++i)
      this->attribute[i] = static_cast<float>(i % 1000);
    for (std::size_t i = variant; i < this->flags.size(); i += 97)
      this->flags[i] = i % 2 == 0 ? Ghost::Blank : Ghost::NotOwned;
    this->volume.attributes = { { this->attribute.data(), SampleType::Float32, 1 } };
    this->volume.ghosts = variant % 3 == 0 ? this->flags.data() : nullptr;
    if (variant % 4 == 1)
      this->volume.padding = { { 1, 1, 1 }, { 1, 1, 1 }, variant % 8 == 1, 0.5f };
  }

  double isovalue() const { return test::middleOf(this->samples.type); }

private:
  static std::array<std::uint32_t, 3> sizeOf(std::uint64_t variant)
  {
    const auto size = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
    return { size(9 + 5 * variant % 23), size(8 + 7 * variant % 17), size(10 + 3 * variant % 29) };
  }
};

// The request of an extraction, with each output in some of the variants.
Request requestOf(const Input& input, std::uint64_t variant)
{
  Request request;
  request.isovalues = { input.isovalue() };
  if (variant % 2 == 1)
    request.isovalues.push_back(input.isovalue() * (1 - 1e-3));
  request.mergePoints = variant % 5 != 2;
  request.computeNormals = variant % 3 != 1;
  request.computeGradients = variant % 4 == 2;
  request.computeCells = variant % 3 == 2;
  request.splitPositions = variant % 7 == 3;
  request.wideIds = variant % 6 == 4;
  request.pointIsovalues = request.mergePoints;
  request.computeMeasures = request.mergePoints && variant % 2 == 0;
  return request;
}

void extract(Session& session, const Input& input, std::uint64_t variant, Digest& digest)
{
  Report report;
  const std::optional<Surface> surface = session.extract({ input.volume }, requestOf(input, variant), report);
  digest.add(surface.value().meshes.front());
}

void extractLevels(Session& session, const Input& input, std::uint64_t, Digest& digest)
{
  Request request;
  request.isovalues = { input.hierarchy.isovalue };
  Report report;
  const std::optional<Surface> surface = session.extract({ test::viewOf(input.hierarchy.levels) }, request, report);
  digest.add(surface.value().meshes.front());
}

void keepLargestRegions(Session& session, const Input& input, std::uint64_t, Digest& digest)
{
  Request request;
  request.isovalues = { input.isovalue() };
  request.computeRegions = true;
  RegionRequest wanted;
  wanted.choice.keep = RegionChoice::Keep::Largest;
  wanted.choice.count = 2;
  wanted.outputs = { outputsOf(request.unfinished(), input.volume.attributes) };
  wanted.borders.resize(1);
  Report report;
  std::optional<Surface> surface = session.extract({ input.volume }, wanted.extraction(request), report);
  const auto found = session.findRegions(std::move(surface.value()), request, wanted, report);
  ChosenRegions chosen;
  chosen.isKept = chosenOf(found->table().front(), wanted.choice);
  chosen.rank = ranksOf(found->table().front(), chosen.isKept);
  digest.add(found->finish({ chosen }, report).meshes.front());
}

void cast(Session& session, const Input& input, std::uint64_t, Digest& digest)
{
  const test::View view = { { -40, -30, 60 }, { 10, 10, 10 }, 10, 200, 0.6 };
  RayRequest request;
  request.isovalues = { input.isovalue() };
  request.camera = test::cameraOf(view, 60, 50);
  Report report;
  digest.add(session.cast(input.volume, request, report).onHost.block());
}

void countValues(Session& session, const Input& input, std::uint64_t, Digest& digest)
{
  Report report;
  const std::optional<SampleRange> range = session.findRanges({ input.volume }, {}, report).front();
  const Bins bins = binsOf(kindOf(input.samples.type), range.value().smallest, range.value().largest);
  const std::optional<std::vector<ValueCounts>> counts = session.count({ input.volume }, bins, {}, report);
  digest.add(counts.value().front().samples);
  digest.add(counts.value().front().cutCells);
  digest.add(session.findShares(std::vector<Volume>{ input.volume }, { input.isovalue() }, {}, report).front().above);
}

// Executes one variant. Returns the digest of its result.
std::uint64_t resultOf(Session& session, std::uint64_t variant, std::uint64_t identity)
{
  constexpr decltype(&extract) Algorithms[] = { extract, extract, keepLargestRegions, cast, countValues,
    extractLevels };
  Input input(variant);
  input.volume.identity = identity;
  Digest digest;
  Algorithms[variant % std::size(Algorithms)](session, input, variant, digest);
  session.releaseVolumes(identity);
  return digest.value();
}

// The memory and the files in use at a moment, or the most at several.
struct Use
{
  std::uint64_t files = 0;
  std::uint64_t residentBytes = 0; // VmRSS
  std::uint64_t deviceBytes = 0;   // without a session
  std::uint64_t peakBytes = 0;     // of the device, the most since the last moment

  void add(const Use& other)
  {
    this->files = std::max(this->files, other.files);
    this->residentBytes = std::max(this->residentBytes, other.residentBytes);
    this->deviceBytes = std::max(this->deviceBytes, other.deviceBytes);
    this->peakBytes = std::max(this->peakBytes, other.peakBytes);
  }
};

Use useOf(const DeviceEngine* device)
{
  namespace fs = std::filesystem;
#ifdef __GLIBC__
  malloc_trim(0); // else the parts of the heap that are free would count
#endif
  Use use;
  use.files = static_cast<std::uint64_t>(std::distance(fs::directory_iterator("/proc/self/fd"), {}));
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmRSS:", 0) == 0)
      use.residentBytes = 1024 * std::strtoull(line.c_str() + std::strlen("VmRSS:"), nullptr, 10);
  if (device)
    use.deviceBytes = device->context()->budget().used();
  return use;
}

// The growth of host memory that is allowed. The pages of the heap that are in use differ by some hundred KiB between
// two moments, as each thread allocates in an arena of its own; a driver has caches, too. Beyond that, a leak of 256
// bytes per execution is found.
std::uint64_t allowedGrowth(bool isDevice, std::uint64_t executions)
{
  return (std::uint64_t(isDevice ? 8 : 1) << 20) + 256 * executions;
}

// The type that "%llu" prints.
unsigned long long printed(std::uint64_t value)
{
  return value;
}

// Prints a complaint, and returns false, if a value is above its bound.
bool isWithin(const char* what, std::uint64_t value, std::uint64_t bound)
{
  if (value > bound)
    std::printf(
      "%s grow: %llu after the first tenth and at most %llu are allowed.\n", what, printed(value), printed(bound));
  return value <= bound;
}

// The executions on one engine.
class Soak
{
public:
  explicit Soak(const std::string& device)
    : UsedEngine(Engine::shared(device))
    , Device(dynamic_cast<const DeviceEngine*>(UsedEngine.get()))
    , UsedSession(UsedEngine->makeSession())
  {
  }

  // Returns whether nothing has grown and all results were equal.
  bool run(std::uint64_t executions)
  {
    std::printf("%s\n%12s %12s %14s %14s %14s\n", this->UsedEngine->deviceName().c_str(), "executions", "open files",
      "resident KiB", "device KiB", "peak KiB");
    Use first, later;
    for (std::uint64_t twentieth = 1; twentieth <= 20; ++twentieth)
      this->execute(executions * twentieth / 20, twentieth <= 2 ? first : later);
    if (executions < FewestToCompare)
      return this->AreResultsEqual;
    // Beside the buffers in use, the pool keeps free ones, up to the peak of the last runs: the order of the variants
    // moves the peak, by less than the peak itself.
    const std::uint64_t peakBytes = 2 * first.peakBytes;
    const std::uint64_t residentBytes = first.residentBytes + allowedGrowth(this->Device != nullptr, executions);
    bool isFlat = isWithin("Open files", later.files, first.files);
    isFlat = isWithin("Bytes of the device", later.deviceBytes, first.deviceBytes) && isFlat;
    isFlat = isWithin("Bytes of the device at the peak", later.peakBytes, peakBytes) && isFlat;
    isFlat = isWithin("Resident bytes", later.residentBytes, residentBytes) && isFlat;
    return isFlat && this->AreResultsEqual;
  }

private:
  // Executes until `end`, and prints what is in use then. Adds it to `largest`.
  void execute(std::uint64_t end, Use& largest)
  {
    std::optional<MemoryBudget::ThreadLimit> peak;
    if (this->Device)
      peak.emplace(this->Device->context()->budget(), ~0ull);
    for (; this->Done < end; ++this->Done)
      this->executeNext();
    this->UsedSession.reset(); // the pools keep no memory but what is in use
    Use use = useOf(this->Device);
    use.peakBytes = peak ? peak->largest() : 0;
    this->UsedSession = this->UsedEngine->makeSession();
    std::printf("%12llu %12llu %14llu %14llu %14llu\n", printed(this->Done), printed(use.files),
      printed(use.residentBytes / 1024), printed(use.deviceBytes / 1024), printed(use.peakBytes / 1024));
    std::fflush(stdout);
    largest.add(use);
  }

  // The variants follow each other in an order that differs from round to round.
  void executeNext()
  {
    const std::uint64_t variant = (this->Done * 7 + this->Done / Variants) % Variants;
    if (this->Done % 11 == 10)
      this->UsedSession = this->UsedEngine->makeSession();
    const std::uint64_t digest = resultOf(*this->UsedSession, variant, this->Done + 1);
    if (digest == this->FirstResults.emplace(variant, digest).first->second)
      return;
    std::printf("Execution %llu: the result differs from the first one of variant %llu.\n", printed(this->Done),
      printed(variant));
    this->AreResultsEqual = false;
  }

  std::shared_ptr<Engine> UsedEngine;
  const DeviceEngine* Device; // null: the CPU
  std::unique_ptr<Session> UsedSession;
  bool AreResultsEqual = true;
  std::uint64_t Done = 0;
  std::map<std::uint64_t, std::uint64_t> FirstResults; // [variant]: its digest
};

std::uint64_t executionsOf(int argc, char** argv)
{
  constexpr const char* Option = "--executions=";
  for (int i = 1; i < argc; ++i)
    if (std::strncmp(argv[i], Option, std::strlen(Option)) == 0)
      return std::strtoull(argv[i] + std::strlen(Option), nullptr, 10);
  return FewestToCompare;
}

}

int main(int argc, char** argv)
try
{
  const std::uint64_t executions = executionsOf(argc, argv);
  std::vector<std::string> devices = { "CPU" };
  if (const std::vector<std::string> names = Engine::deviceNames(); names.size() > 1)
    devices.push_back(names.front());
  else
    std::printf("There is no Vulkan device.\n");
  bool isSound = true;
  for (const std::string& device : devices)
    isSound = Soak(device).run(executions) && isSound;
  return isSound ? 0 : 1;
}
catch (const std::exception& error)
{
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
