// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "RealVolumes.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkPointData.h"
#include "vtkStructuredPoints.h"
#include "vtkStructuredPointsReader.h"
#include "vtkXMLImageDataReader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

void PrintTo(const RealVolume& volume, std::ostream* os)
{
  *os << volume.file << " " << volume.array;
}

std::string NameOf(const RealVolume& volume)
{
  return volume.file.substr(0, volume.file.find_first_of("_.")) + volume.array;
}

const std::vector<RealVolume>& RealVolumes()
{
  static const std::vector<RealVolume> volumes = {
    { "bonsai_256x256x256_uint8.raw", "", { 40, 80, 127 } },
    { "aneurism_256x256x256_uint8.raw", "", { 40, 80, 127 } },
    { "engine_256x256x128_uint8.raw", "", { 80, 127, 180 } },
    { "fuel_64x64x64_uint8.raw", "", { 20, 80 } },
    { "neghip_64x64x64_uint8.raw", "", { 40, 80 } },
    { "tooth_103x94x161_uint8.raw", "", { 90, 180 } },
    { "walnut_128x96x114_uint16.raw", "", { 4000, 8000 } },
    { "tornado_mag_64x64x64_float32.raw", "", { 0.1, 0.2 } },
    { "femm_Bmag_47x47x47_float64.raw", "", { 0.003, 0.006 } },
    { "headsq_oriented_cells.vti", "", { 500, 1150 }, true },
    { "spcth_5level_uniform_cells.vti", "Material1", { 127.5 } },
    { "spcth_5level_uniform_cells.vti", "Material2", { 127.5 } },
    { "carotid.vtk", "scalars", { 150, 250 } },
  };
  return volumes;
}

namespace
{

std::filesystem::path folderOf(const char* variable)
{
  const char* folder = std::getenv(variable);
  return folder ? folder : "";
}

vtkSmartPointer<vtkImageData> readRaw(const std::filesystem::path& path)
{
  static const std::map<std::string, int> types = { { "uint8", VTK_UNSIGNED_CHAR }, { "uint16", VTK_UNSIGNED_SHORT },
    { "float32", VTK_FLOAT }, { "float64", VTK_DOUBLE } };
  std::smatch match;
  const std::string name = path.filename().string();
  if (!std::regex_match(name, match, std::regex(".*_(\\d+)x(\\d+)x(\\d+)_(\\w+)\\.raw")))
    return nullptr;
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetDimensions(std::stoi(match[1]) + 1, std::stoi(match[2]) + 1, std::stoi(match[3]) + 1);
  vtkSmartPointer<vtkDataArray> samples;
  samples.TakeReference(vtkDataArray::CreateDataArray(types.at(match[4])));
  samples->SetName("samples");
  samples->SetNumberOfTuples(image->GetNumberOfCells());
  std::ifstream file(path, std::ios::binary);
  file.read(static_cast<char*>(samples->GetVoidPointer(0)), samples->GetNumberOfTuples() * samples->GetDataTypeSize());
  image->GetCellData()->SetScalars(samples);
  return file ? image : nullptr;
}

// An image whose cells have the point data of another image.
vtkSmartPointer<vtkImageData> pointsAsCells(vtkImageData* points)
{
  auto image = vtkSmartPointer<vtkImageData>::New();
  int dimensions[3];
  points->GetDimensions(dimensions);
  image->SetDimensions(dimensions[0] + 1, dimensions[1] + 1, dimensions[2] + 1);
  image->SetOrigin(points->GetOrigin());
  image->SetSpacing(points->GetSpacing());
  image->GetCellData()->ShallowCopy(points->GetPointData());
  return image;
}

}

std::string AmrFile()
{
  const std::filesystem::path file = folderOf("VMC_VOLUME_FILES") / "amr/HierarchicalBoxDataset.v1.1.vthb";
  return std::filesystem::exists(file) ? file.string() : "";
}

vtkSmartPointer<vtkImageData> LoadRealVolume(const RealVolume& volume, std::string& whyNot)
{
  const bool raw = std::filesystem::path(volume.file).extension() == ".raw";
  const char* variable = raw ? "VMC_VOLUMES" : "VMC_VOLUME_FILES";
  const std::filesystem::path path = folderOf(variable) / volume.file;
  whyNot = volume.file + " is not in the folder that " + variable + " names.";
  if (!std::filesystem::exists(path))
    return nullptr;
  vtkSmartPointer<vtkImageData> image;
  if (raw)
    image = readRaw(path);
  else if (path.extension() == ".vti")
  {
    vtkNew<vtkXMLImageDataReader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    image = reader->GetOutput();
  }
  else
  {
    vtkNew<vtkStructuredPointsReader> reader;
    reader->SetFileName(path.c_str());
    reader->Update();
    image = pointsAsCells(reader->GetOutput());
  }
  whyNot = volume.file + " cannot be read.";
  if (!image || image->GetNumberOfCells() == 0)
    return nullptr;
  if (volume.array.empty() && !image->GetCellData()->GetScalars())
    image->GetCellData()->SetActiveScalars(image->GetCellData()->GetArrayName(0));
  else if (!volume.array.empty())
    image->GetCellData()->SetActiveScalars(volume.array.c_str());
  return image->GetCellData()->GetScalars() ? image : nullptr;
}
