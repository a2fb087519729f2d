// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "vtkSMVulkanArrayDomain.h"

#include "vtkDataAssembly.h"
#include "vtkDataAssemblyUtilities.h"
#include "vtkDataObject.h"
#include "vtkObjectFactory.h"
#include "vtkPVArrayInformation.h"
#include "vtkPVDataInformation.h"
#include "vtkSMOutputPort.h"
#include "vtkSMPropertyHelper.h"
#include "vtkSMSourceProxy.h"
#include "vtkSMUncheckedPropertyHelper.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

vtkStandardNewMacro(vtkSMVulkanArrayDomain);

namespace
{

// Lower case letters and digits only: "Block Id" and "block_id" are the same name.
std::string plain(const std::string& name)
{
  std::string letters;
  for (const unsigned char c : name)
    if (std::isalnum(c))
      letters += static_cast<char>(std::tolower(c));
  return letters;
}

// Returns whether arrays of this name number something, by the names that readers and filters of VTK use.
bool isNumbering(const std::string& name)
{
  const std::string letters = plain(name);
  for (const char* known :
    { "blockid", "blockindex", "cellids", "compositeindex", "depth", "domainid", "globalids", "gridid", "gridlevel",
      "level", "materialid", "objectid", "partid", "pedigreeids", "pointids", "processid", "procid", "rank" })
    if (letters == known)
      return true;
  return letters.compare(0, 3, "vtk") == 0 || letters.compare(0, 3, "avt") == 0;
}

// Returns whether the array may number blocks or levels: it has no more different integers than there are blocks.
bool numbersBlocks(vtkPVArrayInformation& array, vtkPVDataInformation* data)
{
  const int type = array.GetDataType();
  const double* const range = array.GetComponentFiniteRange(0);
  return data->IsCompositeDataSet() && type != VTK_FLOAT && type != VTK_DOUBLE &&
         range[1] - range[0] < static_cast<double>(data->GetNumberOfDataSets());
}

bool varies(const vtkPVArrayInformation& array)
{
  for (int component = 0; component < array.GetNumberOfComponents(); ++component)
  {
    const double* const range = array.GetComponentFiniteRange(component);
    if (range[0] < range[1])
      return true;
  }
  return false;
}

// Returns whether these may be data that the filters accept. A proxy that is being made may be connected to other data
// first.
bool hasImages(const vtkPVDataInformation& data)
{
  return data.DataSetTypeIsA(VTK_IMAGE_DATA) || data.IsCompositeDataSet();
}

// Returns whether the leaves are images.
bool hasOnlyImages(const vtkPVDataInformation& data)
{
  const std::vector<int>& types = data.GetUniqueBlockTypes();
  const auto isImage = [](int type) { return type == VTK_IMAGE_DATA || type == VTK_UNIFORM_GRID; };
  return data.IsCompositeDataSet() ? !types.empty() && std::all_of(types.begin(), types.end(), isImage)
                                   : data.DataSetTypeIsA(VTK_IMAGE_DATA);
}

// The first part of a composite data set that consists of images. Looks at a limited number of parts, as the server
// reports each one alone. Null if there is none.
vtkPVDataInformation* imagesIn(vtkSMOutputPort* port, const vtkPVDataInformation& data)
{
  constexpr std::size_t MostParts = 64;
  const vtkDataAssembly* const parts = data.GetHierarchy();
  std::vector<int> nodes = parts ? parts->GetChildNodes(vtkDataAssembly::GetRootNode()) : std::vector<int>();
  nodes.resize(std::min(nodes.size(), MostParts));
  for (const int node : nodes)
  {
    vtkPVDataInformation* const part =
      port->GetSubsetDataInformation(parts->GetNodePath(node).c_str(), vtkDataAssemblyUtilities::HierarchyName());
    if (part && hasOnlyImages(*part))
      return part;
  }
  return nullptr;
}

bool isGood(vtkPVDataInformation* data, const char* name, int association)
{
  vtkPVArrayInformation* const array = data->GetArrayInformation(name, association);
  return array && !array->GetIsPartial() && varies(*array) && !isNumbering(name) && !numbersBlocks(*array, data);
}

}

int vtkSMVulkanArrayDomain::SetDefaultValues(vtkSMProperty* property, bool useUncheckedValues)
{
  const int isSet = this->Superclass::SetDefaultValues(property, useUncheckedValues);
  vtkPVDataInformation* const data = this->DataOfImages();
  vtkSMPropertyHelper selection(property);
  selection.SetUseUnchecked(useUncheckedValues);
  if (!isSet || !data || !hasImages(*data))
    return isSet;
  const auto exists = [data](const char* name, int association)
  { return data->GetArrayInformation(name, association) != nullptr; };
  const auto good = [data](const char* name, int association) { return isGood(data, name, association); };
  const auto choose = [&](const auto& fits)
  {
    if (fits(selection.GetAsString(4), selection.GetAsInt(3)))
      return true;
    for (unsigned int i = 0; i < this->GetNumberOfStrings(); ++i)
      if (fits(this->GetString(i), this->GetFieldAssociation(i)))
      {
        selection.Set(3, this->GetFieldAssociation(i));
        selection.Set(4, this->GetString(i));
        return true;
      }
    return false;
  };
  if (!choose(good))
    choose(exists);
  return isSet;
}

// The information is that of the input; if leaves that are no images have arrays, too, that of some of its images.
vtkPVDataInformation* vtkSMVulkanArrayDomain::DataOfImages()
{
  vtkPVDataInformation* const data = this->GetInputDataInformation("Input");
  if (!data || !data->IsCompositeDataSet() || hasOnlyImages(*data))
    return data;
  const vtkSMUncheckedPropertyHelper input(this->GetRequiredProperty("Input"));
  auto* const source = vtkSMSourceProxy::SafeDownCast(input.GetAsProxy());
  vtkSMOutputPort* const port = source ? source->GetOutputPort(input.GetOutputPort()) : nullptr;
  vtkPVDataInformation* const images = port ? imagesIn(port, *data) : nullptr;
  return images ? images : data;
}

// Field data and rows of tables have no place in space.
bool vtkSMVulkanArrayDomain::IsFilteredArray(vtkPVDataInformation* data, int association, const char* name)
{
  return (association != vtkDataObject::FIELD_ASSOCIATION_POINTS &&
           association != vtkDataObject::FIELD_ASSOCIATION_CELLS) ||
         this->Superclass::IsFilteredArray(data, association, name);
}
