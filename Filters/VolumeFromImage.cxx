#include "VolumeFromImage.h"

#include "Error.h"

#include "vtkCellData.h"
#include "vtkDataArray.h"
#include "vtkDataSetAttributes.h"
#include "vtkFloatArray.h"
#include "vtkMatrix3x3.h"
#include "vtkPointData.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

namespace
{

std::optional<vmc::SampleType> sampleTypeOf(vtkDataArray* array)
{
  const bool isSigned = array->GetDataTypeMin() < 0;
  switch (array->GetDataType())
  {
    case VTK_CHAR: // signed or not, as the compiler has it
    case VTK_SIGNED_CHAR:
    case VTK_UNSIGNED_CHAR:
      return isSigned ? vmc::SampleType::Int8 : vmc::SampleType::UInt8;
    case VTK_SHORT:
      return vmc::SampleType::Int16;
    case VTK_UNSIGNED_SHORT:
      return vmc::SampleType::UInt16;
    case VTK_INT:
      return vmc::SampleType::Int32;
    case VTK_UNSIGNED_INT:
      return vmc::SampleType::UInt32;
    case VTK_FLOAT:
      return vmc::SampleType::Float32;
    default:
      return std::nullopt;
  }
}

std::string namesOf(vtkDataSetAttributes* attributes)
{
  std::string names;
  for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    if (const char* name = attributes->GetAbstractArray(i)->GetName())
      names += (names.empty() ? "" : ", ") + std::string(name);
  return names.empty() ? "none" : names;
}

std::string arraysThereAre(vtkImageData* image)
{
  return " Cell arrays: " + namesOf(image->GetCellData()) + ". Point arrays: " + namesOf(image->GetPointData()) + ".";
}

[[noreturn]] void refuse(vtkImageData* image, const std::string& why)
{
  throw std::invalid_argument(why + arraysThereAre(image));
}

std::string described(vtkDataArray* array)
{
  return std::string("The array \"") + (array->GetName() ? array->GetName() : "") + "\"";
}

vtkIdType sampleCount(const ImageSamples& samples)
{
  return samples.ofCells ? samples.image->GetNumberOfCells() : samples.image->GetNumberOfPoints();
}

std::vector<vtkSmartPointer<vtkDataArray>> otherArrays(const ImageSamples& samples)
{
  std::vector<vtkSmartPointer<vtkDataArray>> arrays;
  vtkDataSetAttributes* data =
    samples.image->GetAttributes(samples.ofCells ? vtkDataObject::CELL : vtkDataObject::POINT);
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
  {
    vtkDataArray* array = data->GetArray(i); // null for strings
    const bool usable = array && array != samples.scalars && array->GetName() &&
                        std::string(array->GetName()) != vtkDataSetAttributes::GhostArrayName() &&
                        array->GetNumberOfTuples() == sampleCount(samples);
    if (usable)
      arrays.emplace_back(array);
  }
  return arrays;
}

}

ImageSamples samplesOf(vtkImageData* image, vtkDataArray* scalars, int association, bool withAttributes)
{
  ImageSamples samples;
  samples.image = image;
  samples.scalars = scalars;
  if (!samples.scalars)
    refuse(image, "The array to contour is not among the numeric arrays of the input.");
  samples.ofCells = association == vtkDataObject::FIELD_ASSOCIATION_CELLS;
  if (!samples.ofCells && association != vtkDataObject::FIELD_ASSOCIATION_POINTS)
    refuse(image, described(samples.scalars) + " belongs neither to cells nor to points.");
  if (samples.scalars->GetNumberOfComponents() != 1)
    refuse(image, described(samples.scalars) + " has " + std::to_string(samples.scalars->GetNumberOfComponents()) +
                    " components; 1 is needed.");
  if (samples.scalars->GetNumberOfTuples() != sampleCount(samples))
    refuse(image, described(samples.scalars) + " has " + std::to_string(samples.scalars->GetNumberOfTuples()) +
                    " values; the image has " + std::to_string(sampleCount(samples)) +
                    (samples.ofCells ? " cells." : " points."));
  if (withAttributes)
    samples.attributes = otherArrays(samples);
  return samples;
}

std::array<int, 3> sampleDimensions(const ImageSamples& samples)
{
  std::array<int, 3> dimensions{};
  samples.image->GetDimensions(dimensions.data());
  if (samples.ofCells)
    for (int& dimension : dimensions)
      dimension = std::max(dimension - 1, 1); // a flat image has one layer of cells
  return dimensions;
}

vmc::IndexToWorld geometryOfSamples(const ImageSamples& samples)
{
  const double* spacing = samples.image->GetSpacing();
  const double* origin = samples.image->GetOrigin();
  const int* extent = samples.image->GetExtent();
  vtkMatrix3x3* direction = samples.image->GetDirectionMatrix();
  vmc::IndexToWorld geometry;
  for (int c = 0; c < 3; ++c)
  {
    geometry.origin[c] = origin[c];
    for (int axis = 0; axis < 3; ++axis)
    {
      geometry.axis[axis][c] = direction->GetElement(c, axis) * spacing[axis];
      geometry.origin[c] += geometry.axis[axis][c] * (extent[2 * axis] + (samples.ofCells ? 0.5 : 0.0));
    }
  }
  return geometry;
}

namespace
{

// The values lie in one block, tuple after tuple.
vtkSmartPointer<vtkDataArray> inOneBlock(vtkDataArray* array)
{
  if (array->HasStandardMemoryLayout())
    return array;
  vtkSmartPointer<vtkDataArray> copy;
  copy.TakeReference(vtkDataArray::CreateDataArray(array->GetDataType()));
  copy->DeepCopy(array);
  return copy;
}

vmc::Attribute attributeFrom(vtkSmartPointer<vtkDataArray>& array)
{
  if (!sampleTypeOf(array))
  {
    const auto rounded = vtkSmartPointer<vtkFloatArray>::New();
    rounded->DeepCopy(array);
    array = rounded;
  }
  array = inOneBlock(array);
  return { array->GetVoidPointer(0), *sampleTypeOf(array), static_cast<std::uint32_t>(array->GetNumberOfComponents()) };
}

}

vmc::Volume volumeFromImage(ImageSamples& samples)
{
  const std::optional<vmc::SampleType> type = sampleTypeOf(samples.scalars);
  if (!type)
    throw vmc::Error(vmc::Error::Kind::Unsupported, described(samples.scalars) + " has values of type " +
                                                      samples.scalars->GetDataTypeAsString() +
                                                      "; integers of up to 32 bits and float are supported.");
  if (!samples.scalars->HasStandardMemoryLayout())
    throw vmc::Error(
      vmc::Error::Kind::Unsupported, described(samples.scalars) + " does not keep its values in one block of memory.");
  vmc::Volume volume;
  volume.samples = samples.scalars->GetVoidPointer(0);
  volume.type = *type;
  const std::array<int, 3> dimensions = sampleDimensions(samples);
  std::copy(dimensions.begin(), dimensions.end(), volume.size.begin());
  // Modification times are unique within the process: this one stands for the array and for its state. The image's own
  // time does not tell: pipelines renew it whenever they pass the same arrays on.
  volume.identity = samples.scalars->GetMTime();
  volume.geometry = geometryOfSamples(samples);
  for (vtkSmartPointer<vtkDataArray>& attribute : samples.attributes)
    volume.attributes.push_back(attributeFrom(attribute));
  return volume;
}
