// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "Oracles.h"

#include "Compute/System/Error.h"
#include "Compute/Vulkan/Instance.h"
#include "Input.h"
#include "LevelChecks.h"
#include "Metamorphic.h"
#include "Mismatch.h"
#include "ReferenceCheck.h"
#include "SoundChecks.h"
#include "Support/BlockValues.h"

#include <cstring>
#include <exception>
#include <numeric>
#include <optional>
#include <utility>

namespace vmc::torture
{

namespace
{

using test::valuesOf;

bool isSame(const HostBlock& a, const HostBlock& b)
{
  return a.size() == b.size() && (a.size() == 0 || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

using NamedBlock = std::pair<HostBlock Mesh::*, const char*>;

constexpr NamedBlock Integers[] = { { &Mesh::triangles, "triangles" }, { &Mesh::offsets, "offsets" },
  { &Mesh::triangleCells, "cells" }, { &Mesh::trianglePatches, "patches" }, { &Mesh::isovalues, "isovalues" } };
constexpr NamedBlock Floats[] = { { &Mesh::positions, "positions" }, { &Mesh::positionsLow, "low positions" },
  { &Mesh::normals, "normals" }, { &Mesh::gradients, "gradients" } };

// Compares what all engines have in common.
void requireSameTriangles(const Oracle& oracle, const Mesh& found, const Mesh& expected)
{
  oracle.requireEqual(found.pointCount, expected.pointCount, "number of points");
  oracle.requireEqual(found.triangleCount, expected.triangleCount, "number of triangles");
  oracle.require(found.firstPoint == expected.firstPoint, "first points differ");
  oracle.require(found.firstTriangle == expected.firstTriangle, "first triangles differ");
  oracle.require(found.triangleCount == 0 || found.hasWideIds == expected.hasWideIds, "the width of ids differs");
  oracle.require(found.origin == expected.origin, "origins differ");
  for (const auto& [block, name] : Integers)
    oracle.require(isSame(found.*block, expected.*block), std::string(name) + " differ");
  oracle.requireEqual(found.attributes.size(), expected.attributes.size(), "number of attributes");
}

void requireSameBytes(const Oracle& oracle, const Mesh& found, const Mesh& expected)
{
  requireSameTriangles(oracle, found, expected);
  for (const auto& [block, name] : Floats)
    oracle.require(isSame(found.*block, expected.*block), std::string(name) + " differ");
  for (std::size_t i = 0; i < found.attributes.size(); ++i)
    oracle.require(isSame(found.attributes[i], expected.attributes[i]), "attributes differ");
}

void requireSameMeasures(const Oracle& oracle, const Mesh& found, const Mesh& expected)
{
  for (std::size_t i = 0; i < found.measures.size(); ++i)
  {
    const SurfaceMeasures &a = found.measures[i], &b = expected.measures[i];
    const double values[] = { a.area, a.volume, a.centroid[0], a.centroid[1], a.centroid[2] },
                 others[] = { b.area, b.volume, b.centroid[0], b.centroid[1], b.centroid[2] };
    oracle.requireEqual(a.openEdges, b.openEdges, "open edges");
    oracle.require(std::memcmp(values, others, sizeof(values)) == 0, "measures differ"); // they may be NaN
  }
}

// Throws Mismatch if the error is not clear.
void checkError(const Error& error)
{
  const std::string message = error.what();
  const bool isRefusal = error.kind() == Error::Kind::Unsupported || error.kind() == Error::Kind::OutOfMemory ||
                         error.kind() == Error::Kind::OutOfHostMemory;
  Oracle("clear errors").require(isRefusal && !message.empty() && message.back() == '.', "the error is: " + message);
}

// The surfaces of one target; nothing if it refused the case.
struct Answer
{
  std::optional<Surface> surface;
  std::string error;
  std::vector<std::vector<std::size_t>> regions; // [mesh][region]: triangles
};

// The case of a list of volumes, or of a hierarchy.
class Execution
{
public:
  Execution(const Case& of, const std::vector<Target>& targets)
    : Settings(of)
    , Targets(targets)
  {
    for (const VolumeSettings& volume : of.volumes)
      this->Inputs.push_back(inputOf(volume));
    if (of.volumes.empty())
      this->Hierarchy = std::make_unique<LevelInput>(of.levels);
  }

  // Returns the message of the first refusal; empty if there was none.
  std::string run()
  {
    std::vector<Answer> answers;
    for (const Target& target : this->Targets)
      answers.push_back(this->answerOf(target));
    std::string error;
    for (std::size_t i = 0; i < answers.size(); ++i)
    {
      bool mayRefuse = this->Settings.request.memoryLimit != 0 && this->Targets[i].isDevice;
      for (const VolumeInput& input : this->Inputs) // of extreme units, the determinant may overflow on the CPU, too
        mayRefuse = mayRefuse || !input.mustFitDevices() || (input.hasCoordinates() && input.samples.count() == 0);
      Oracle("no needless refusal").require(mayRefuse || answers[i].error.empty(), answers[i].error);
      error = error.empty() ? answers[i].error : error;
      for (std::size_t mesh = 0;
           i > 0 && answers[i].surface && answers.front().surface && mesh < answers[i].surface->meshes.size(); ++mesh)
        this->compare(answers[i], answers.front(), mesh);
    }
    return error;
  }

private:
  std::optional<Surface> extract(Session& on, const Request& request)
  {
    if (this->Hierarchy)
      return on.extract(std::vector<Levels>{ this->Hierarchy->view }, request, this->LastReport);
    std::vector<Volume> volumes;
    for (const VolumeInput& input : this->Inputs)
      volumes.push_back(input.volume());
    return on.extract(volumes, request, this->LastReport);
  }

  Answer answerOf(const Target& target)
  {
    Answer answer;
    const std::unique_ptr<Session> session = target.newSession();
    Request request = this->Settings.request;
    try
    {
      answer.surface = this->extract(*session, request);
    }
    catch (const Error& error)
    {
      checkError(error);
      answer.error = error.what();
      return answer;
    }
    request.threads = 1 + request.threads % 3;
    const std::optional<Surface> again = this->extract(*session, request);
    const Oracle same(target.isDevice ? "same bytes again on the device" : "same bytes with other threads");
    for (std::size_t i = 0; i < answer.surface->meshes.size(); ++i)
    {
      requireSameBytes(same, again->meshes[i], answer.surface->meshes[i]);
      requireSameMeasures(same, again->meshes[i], answer.surface->meshes[i]);
    }
    if (this->Hierarchy)
      this->checkLevels(target, *session);
    else
      this->checkVolumes(target, *session, answer);
    return answer;
  }

  void checkVolumes(const Target& target, Session& session, Answer& answer)
  {
    const Request& request = this->Settings.request;
    const ExtractOne extractOne = [&](const Volume& volume, const Request& changed)
    { return std::move(session.extract({ volume }, changed, this->LastReport)->meshes.front()); };
    const std::vector<Mesh>& meshes = answer.surface->meshes;
    for (std::size_t i = 0; i < meshes.size(); ++i)
    {
      checkSound(this->Inputs[i], request, meshes[i]);
      checkReference(this->Inputs[i], request, meshes[i]);
      checkMeasures(request, meshes[i]);
      if (meshes.size() > 1)
        requireSameBytes(
          Oracle("a list has the bytes of its volumes"), extractOne(this->Inputs[i].volume(), request), meshes[i]);
    }
    if (this->Settings.regions)
      this->checkRegions(session, answer);
    if (!target.isDevice || this->Settings.number % 4 == 0)
      checkChangedVolumes(this->Inputs.front(), request, meshes.front(), this->Settings.number, extractOne);
  }

  void checkLevels(const Target& target, Session& session)
  {
    const Request& request = this->Settings.request;
    const ExtractLevels extractOne = [&](const Levels& levels, const Request& changed)
    { return std::move(session.extract(std::vector<Levels>{ levels }, changed, this->LastReport)->meshes.front()); };
    checkReference(*this->Hierarchy, request, target.isDevice, extractOne);
    if (this->Settings.levels.pieces > 1)
      checkPieces(*this->Hierarchy, request, this->Settings.levels.pieces, extractOne);
    else
      checkUnchanged(*this->Hierarchy, request, extractOne);
  }

  // The number of regions of connected triangles: of points that remain after joining those of each triangle.
  static std::size_t regionsOf(const Mesh& mesh)
  {
    std::vector<std::size_t> parent(mesh.pointCount);
    std::iota(parent.begin(), parent.end(), std::size_t(0));
    const auto rootOf = [&](std::int64_t point)
    {
      auto root = static_cast<std::size_t>(point);
      while (parent[root] != root)
        root = parent[root] = parent[parent[root]];
      return root;
    };
    std::size_t regions = mesh.pointCount;
    const std::vector<std::int64_t> ids = idsOf(mesh);
    for (std::size_t corner = 0; corner < ids.size(); ++corner)
    {
      const std::size_t a = rootOf(ids[corner]), b = rootOf(ids[corner / 3 * 3]);
      regions -= a != b ? 1 : 0;
      parent[a] = b;
    }
    return regions;
  }

  void checkRegions(Session& session, Answer& answer)
  {
    const Oracle oracle("regions");
    Request request = this->Settings.request;
    request.computeRegions = true;
    RegionRequest wanted;
    wanted.choice = *this->Settings.regions;
    wanted.withMeasures = request.computeMeasures;
    for (const VolumeInput& input : this->Inputs)
    {
      const Volume volume = input.volume();
      wanted.outputs.push_back(outputsOf(request.unfinished(), volume.attributes));
      wanted.borders.push_back(borderOf(volume));
    }
    std::optional<Surface> unfinished = this->extract(session, wanted.extraction(request));
    const auto found = session.findRegions(std::move(*unfinished), request, wanted, this->LastReport);
    std::vector<ChosenRegions> chosen;
    std::vector<std::size_t> kept; // [mesh]: triangles
    for (std::size_t i = 0; i < this->Inputs.size(); ++i)
    {
      const std::vector<SurfaceRegion>& table = found->table()[i];
      oracle.requireEqual(table.size(), regionsOf(answer.surface->meshes[i]), "number of regions");
      chosen.emplace_back().isKept = chosenOf(table, wanted.choice);
      chosen.back().rank = ranksOf(table, chosen.back().isKept);
      answer.regions.emplace_back();
      kept.push_back(0);
      for (std::size_t region = 0; region < table.size(); ++region)
      {
        answer.regions.back().push_back(table[region].measures.triangles);
        kept.back() += chosen.back().isKept[region] != 0 ? table[region].measures.triangles : 0;
      }
    }
    const Surface finished = found->finish(chosen, this->LastReport);
    for (std::size_t i = 0; i < kept.size(); ++i)
      this->checkKept(oracle, finished.meshes[i], answer.surface->meshes[i], kept[i]);
  }

  void checkKept(const Oracle& oracle, const Mesh& found, const Mesh& whole, std::size_t triangles) const
  {
    oracle.requireEqual(found.triangleCount, triangles, "number of kept triangles");
    oracle.requireEqual(found.triangleRegions.size(), 4 * triangles, "bytes of regions of triangles");
    oracle.requireEqual(found.pointRegions.size(), 4 * found.pointCount, "bytes of regions of points");
    for (const std::int64_t id : idsOf(found))
      oracle.require(id >= 0 && static_cast<std::size_t>(id) < found.pointCount, "a point id is too large");
    if (triangles == whole.triangleCount)
      requireSameTriangles(oracle, found, whole);
  }

  // Positions may differ by the errors of both.
  void compare(const Answer& found, const Answer& expected, std::size_t number)
  {
    const Oracle oracle("same triangles on each engine");
    const Mesh &a = found.surface->meshes[number], &b = expected.surface->meshes[number];
    requireSameTriangles(oracle, a, b);
    oracle.require(found.regions == expected.regions, "regions differ");
    for (const auto& [block, name] : Floats)
      oracle.requireEqual((a.*block).size(), (b.*block).size(), name);
    if (this->Hierarchy)
      return; // each was compared with the reference
    const PositionTolerance tolerance(this->Inputs[number], b);
    for (std::size_t p = 0; p < b.pointCount; ++p)
      for (std::size_t c = 0; c < 3; ++c)
      {
        const long double position = positionOf(b, p)[c];
        oracle.requireNear(positionOf(a, p)[c], position, 2 * tolerance.at(c, position), "coordinate of point", p);
      }
  }

  const Case& Settings;
  const std::vector<Target>& Targets;
  std::vector<VolumeInput> Inputs;
  std::unique_ptr<LevelInput> Hierarchy;
  Report LastReport;
};

}

namespace
{

// Returns the message of the first refusal; empty if there was none.
std::string run(const Case& of, const std::vector<Target>& targets)
{
  try
  {
    return Execution(of, targets).run();
  }
  catch (const Error& error)
  {
    checkError(error);
    return error.what();
  }
}

}

Result check(const Case& of, const std::vector<Target>& targets)
{
  try
  {
    const std::size_t messages = validationMessages().size();
    const std::string error = run(of, targets);
    const std::vector<std::string> after = validationMessages();
    if (after.size() > messages)
      return { Outcome::Wrong, "validation layer", after.back() };
    return error.empty() ? Result() : Result{ Outcome::ClearError, {}, error };
  }
  catch (const Mismatch& mismatch)
  {
    return { Outcome::Wrong, mismatch.oracle, mismatch.text };
  }
  catch (const std::exception& exception)
  {
    return { Outcome::Wrong, "no other exceptions", exception.what() };
  }
}

}
