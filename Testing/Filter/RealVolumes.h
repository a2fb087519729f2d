// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Real volumes. They are not part of the project: where they are missing, tests are skipped and print the reason.
#ifndef RealVolumes_h
#define RealVolumes_h

#include "vtkImageData.h"
#include "vtkSmartPointer.h"

#include <ostream>
#include <string>
#include <vector>

// One array of one volume, and isovalues at which it has a surface.
struct RealVolume
{
  std::string file;
  std::string array; // empty: the file has one array
  std::vector<double> isovalues;
  bool hasDirection = false; // the file has a direction matrix of its own
};
void PrintTo(const RealVolume& volume, std::ostream* os);
// The beginning of the file's name and the name of the array, for names of tests.
std::string NameOf(const RealVolume& volume);

const std::vector<RealVolume>& RealVolumes();

// The file of an AMR with the cell array "Fractal Volume Fraction"; empty without the folder amr of VMC_VOLUME_FILES.
std::string AmrFile();

// The volume with its scalars as active cell data; point data of a file become cell data. Null if the file is missing
// or cannot be read; then `whyNot` is the reason. The environment variable VMC_VOLUMES names the folder of files
// NAME_XxYxZ_TYPE.raw, VMC_VOLUME_FILES that of .vti and .vtk files.
vtkSmartPointer<vtkImageData> LoadRealVolume(const RealVolume& volume, std::string& whyNot);

#endif
