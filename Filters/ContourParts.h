// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The parts of the input of a run of the filter, with their surfaces.
#ifndef vmcContourParts_h
#define vmcContourParts_h

#include "ContourRun.h"
#include "LevelsFromData.h"
#include "MissingSurfaces.h"
#include "SessionUser.h"
#include "SurfaceRegions.h"

#include "vtkPolyData.h"
#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"

#include "Compute/Contour/Request.h"
#include "Compute/Histogram/DomainShare.h"
#include "Compute/Memory/HostMemoryPool.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class vtkInformation;
class vtkMultiProcessController;

namespace vmc::filters
{

// A part of the input that has a surface of its own: blocks of one lattice, or an image alone (LevelGroup).
struct ContourPart
{
  LevelGroup group;
  vtkSmartPointer<vtkPolyData> output;   // without points until it is contoured, and after an error
  vmc::HostBlock trianglePatches{};      // see Mesh::trianglePatches
  vmc::Mesh mesh{};                      // from the engine until it is wrapped
  std::shared_ptr<vmc::Engine> engine{}; // that made the mesh
  vmc::DomainShare share{};              // with measures
  bool hasFailed = false;

  bool isLattice() const { return !this->group.levels.patches.empty(); }
  const ImageSamples& samples() const { return this->group.blocks.front().samples; } // names and types of all blocks
};

// Returns the properties of a part on which the regions of its surface depend.
SurfaceRegions::Part regionPartOf(const ContourPart& part);

// Extracts the surfaces of parts, all of them lattices or all images, for these regions. Sets the shares of the parts,
// if measures are requested. Returns nothing if `progress` stopped the extraction. Throws as vmc::Session::extract.
std::optional<vmc::Surface> extractParts(const std::vector<ContourPart*>& parts, vmc::Session& session,
  const SurfaceRegions& regions, vmc::Report& report, const vmc::Progress& progress = {});

// Contours the parts of the input of one run of the filter, and collects what the run reports.
class ContourParts
{
public:
  // info: of the input. ranks: have the other pieces of the surface; null: the regions of this one stand alone.
  ContourParts(
    vtkVulkanMarchingCubes& filter, SessionUser& sessions, vtkInformation* info, vtkMultiProcessController* ranks);
  // With these outputs in place of those that the filter's settings request. attribute: the only array to interpolate;
  // empty: none.
  ContourParts(vtkVulkanMarchingCubes& filter, SessionUser& sessions, vtkInformation* info, vmc::Request request,
    std::string attribute);

  const vmc::Request& request() const { return this->Request; }
  SessionUser& sessions() { return this->Sessions; }

  // Returns the part of the settings that selects samples of an image. info: see choiceOf.
  SampleChoice choiceOf(vtkInformation* info, vtkImageData* image) const;

  // Adds a part. If there is nothing to contour, because the part is an image without points, or because there are no
  // isovalues, the output gets its arrays without tuples.
  void add(LevelGroup group, vtkPolyData* output);
  bool isToContour(const ContourPart& part) const;

  // Contours the parts by at most two calls of the engine: one for all lattices, one for all images. If a call fails,
  // contours its parts one after the other. Empties all outputs if the filter was told to stop.
  void extract();

  // Adds an error of a run. Errors that differ in digits only are listed once, as sizes of blocks differ.
  void fail(const std::string& error);

  void addTime(vmc::Stage stage, double milliseconds) { this->Results.report.stages.add(stage, milliseconds); }

  // Returns the results. Their report has no total time.
  vtkVulkanMarchingCubes::Run results();

  // The parts in the order in which they were added.
  std::vector<ContourPart>& parts() { return this->Parts; }
  // Returns whether the surfaces of two parts have a gap between them.
  bool haveGap() const;
  bool isWhole() const { return this->IsWhole; } // the output is not one of several pieces
  const std::vector<std::string>& errors() const { return this->Errors; }
  // Returns whether no part has a surface, because of errors.
  bool haveAllFailed() const;

private:
  using PartList = std::vector<ContourPart*>;

  // The parts of one call.
  struct ExtractedParts
  {
    PartList parts;
    SessionUser::Call call{};
    std::string device{}; // as UsedDevice reports it
  };

  static void setMeshes(const ExtractedParts& extracted, vmc::Surface surface);
  void extract(const PartList& parts);
  template <class Work>
  vmc::Report tryEngines(ExtractedParts& extracted, const Work& work);
  std::optional<vmc::Surface> surfaceOf(const PartList& parts, vmc::Report& report);
  void findRegions(const PartList& parts, vmc::Surface surface, vmc::Report& report);
  vmc::DomainShare sumOfShares() const;
  void noteSurfaces(const PartList& parts, const vmc::Surface& surface);
  void finishSurfaces();
  void finishRegions();
  void finishAgain(std::size_t number);
  void noteDevices();
  void wrap(ContourPart& part);
  bool mayContinue(double done);

  vtkVulkanMarchingCubes& Filter;
  SessionUser& Sessions;
  const vmc::Request Request;
  const std::optional<std::string> Attribute; // none: the settings tell which arrays are interpolated
  SurfaceRegions Regions;
  std::vector<ExtractedParts> Extracted; // in the order of the surfaces of Regions
  const bool IsWhole;
  std::vector<ContourPart> Parts;
  bool IsStopped = false;
  double Done = 0, Share = 1; // of the progress: before the call of the engine, and of the call
  MissingSurfaces Missing;
  vtkVulkanMarchingCubes::Run Results; // of all calls
  std::set<std::string> ErrorsWithoutDigits;
  std::vector<std::string> Errors;
};

}

#endif
