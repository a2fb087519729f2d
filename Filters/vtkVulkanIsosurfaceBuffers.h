// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkVulkanIsosurfaceBuffers
 * @brief   isosurfaces, or pictures of them by rays, in memory that a renderer reads directly
 *
 * A vtkVulkanMarchingCubes whose surface stays in buffers of the Vulkan device, or in host memory, instead of becoming
 * vtkPolyData. The output has the arrays of the filter's output, but no tuples; GetSurface returns the surface. It has
 * positions, normals if ComputeNormals is on, values at the points for colours, and triangles, whose ids have 32 bits.
 * Settings for other outputs are ignored: ComputeGradients, ComputeSampleIds, MergePoints, OutputIds,
 * OutputPointsPrecision, InterpolateAttributes. If Memory is POLY_DATA, they apply to the output.
 *
 * If the surface does not fit in buffers of the device, or if the CPU computes it, it is in host memory.
 *
 * SetRays requests a picture of the isosurfaces from a view in place of the surface: no triangles are made.
 *
 * @sa
 * vtkVulkanMarchingCubes vtkVulkanIsosurfaceMapper
 */
#ifndef vtkVulkanIsosurfaceBuffers_h
#define vtkVulkanIsosurfaceBuffers_h

#include "vtkVulkanMarchingCubes.h"
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class vtkDataArray;
namespace vmc
{
class Buffer;
class Context;
}

class VTKVULKANMARCHINGCUBESFILTERS_EXPORT vtkVulkanIsosurfaceBuffers : public vtkVulkanMarchingCubes
{
public:
  static vtkVulkanIsosurfaceBuffers* New();
  vtkTypeMacro(vtkVulkanIsosurfaceBuffers, vtkVulkanMarchingCubes);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  enum MemoryKind
  {
    DEVICE_MEMORY = 1, // exported by the Vulkan device
    HOST_MEMORY = 2,
    POLY_DATA = 3 // the output, with all outputs that the settings request
  };

  ///@{
  /**
   * The memory of the next surface. Default: HOST_MEMORY.
   */
  vtkSetClampMacro(Memory, int, DEVICE_MEMORY, POLY_DATA);
  vtkGetMacro(Memory, int);
  ///@}

  /**
   * The values at the points: those of an array of the image, interpolated, or the isovalues if the name is empty or
   * that of the scalars. Default: no values.
   */
  void SetPointValues(const std::optional<std::string>& name);

  /**
   * The array to contour of the current input; null if there is none.
   */
  vtkDataArray* GetContouredArray();

  // An array of values of 4 bytes: float, or unsigned point ids.
  struct Array
  {
    std::uint32_t components = 0; // per point or triangle; 0: there is no array
    std::uint64_t sizeInBytes = 0;
    const vmc::Buffer* device = nullptr; // of DEVICE_MEMORY; null if the array is empty
    std::uint64_t identity = 0;          // of the device's buffer; no other buffer ever has it
    const void* host = nullptr;          // of HOST_MEMORY; null if the array is empty or released
  };

  // A file descriptor of device memory, the size of that memory, and the size of the buffer in it, in bytes. The buffer
  // begins at byte 0 of the memory and may hold the arrays of later surfaces too. The receiver owns the descriptor. A
  // negative descriptor: the memory cannot be exported.
  struct Export
  {
    int fileDescriptor = -1;
    std::uint64_t memorySize = 0;
    std::uint64_t bufferSize = 0;
  };

  // What has arrays in device memory.
  class VTKVULKANMARCHINGCUBESFILTERS_EXPORT ArrayOwner
  {
  public:
    // Of one of its arrays in DEVICE_MEMORY.
    Export ExportMemory(const Array& array) const;

    MemoryKind memory = HOST_MEMORY; // or DEVICE_MEMORY

  protected:
    ArrayOwner() = default;
    ~ArrayOwner() = default;
    std::shared_ptr<vmc::Context> Context; // of DEVICE_MEMORY

    friend class vtkVulkanIsosurfaceBuffers;
  };

  // Owns the arrays of one surface. Whoever reads an array must hold the surface: after its destruction, the next
  // surface gets the same memory. It keeps the device open.
  class VTKVULKANMARCHINGCUBESFILTERS_EXPORT Surface : public ArrayOwner
  {
  public:
    Surface();
    ~Surface();
    Surface(const Surface&) = delete;
    Surface& operator=(const Surface&) = delete;

    std::uint64_t pointCount = 0, triangleCount = 0;
    std::array<double, 3> origin{ 0, 0, 0 }; // of the positions
    double valueOrigin = 0;                  // of the values: value = valueOrigin + array element
    Array positions, normals, values, triangles;

    // Frees the arrays in HOST_MEMORY, after the receiver has copied them.
    void ReleaseHostMemory();
    bool HasReleasedHostMemory() const { return this->IsReleased; }

  private:
    friend class vtkVulkanIsosurfaceBuffers;
    class Arrays;
    std::unique_ptr<Arrays> Owned;
    bool IsReleased = false;
  };

  // Owns the picture of one execution: per pixel a vmc::RayHit (Structs.h), four unsigned values, row by row from the
  // bottom. Whoever reads it must hold the object, as for a surface.
  class VTKVULKANMARCHINGCUBESFILTERS_EXPORT Picture : public ArrayOwner
  {
  public:
    Picture();
    ~Picture();
    Picture(const Picture&) = delete;
    Picture& operator=(const Picture&) = delete;

    static constexpr std::uint32_t NoHit = 0x7F800000; // the fourth value of a pixel without a hit

    int width = 0, height = 0;
    Array pixels;
    std::vector<double> isovalues; // for colours: those that the hits number; empty if PointValues is something else
    Array values;                  // for colours: of another array, float per pixel and component, in HOST_MEMORY

  private:
    friend class vtkVulkanIsosurfaceBuffers;
    class Arrays;
    std::unique_ptr<Arrays> Owned;
  };

  enum RayUse
  {
    NO_RAYS = 0,
    RAYS_WITHOUT_MEMORY = 1, // if the surface does not fit in memory that the device exports
    RAYS = 2
  };

  // A camera and the size of its picture in pixels.
  struct View
  {
    std::array<double, 16> worldToClip{}; // by rows; the space of the image is the world
    int width = 0, height = 0;
    bool operator==(const View& other) const
    {
      return this->worldToClip == other.worldToClip && this->width == other.width && this->height == other.height;
    }
  };

  /**
   * When the next execution makes a picture in place of the surface, one of RayUse, and its view. Another view alone
   * does not modify the filter while it makes surfaces. Default: NO_RAYS.
   */
  void SetRays(int use, const View& view);

  /**
   * The time of the last change of a setting, other than those of SetRays.
   */
  vtkMTimeType GetSettingsTime();
  vtkMTimeType GetMTime() override;

  /**
   * The picture of the last execution; null if it made a surface, or nothing.
   */
  std::shared_ptr<Picture> GetPicture() const;

  /**
   * The surface of the last execution; null if there is none, or if it is in the output. The filter releases its
   * surface when the next execution begins (StartEvent). A receiver that does the same gives its memory to the next
   * surface.
   */
  std::shared_ptr<Surface> GetSurface() const;

  /**
   * The reason why the surface is not in DEVICE_MEMORY although Memory requests it; empty otherwise.
   */
  const std::string& GetObstacle() const;

  /**
   * Releases the picture, as a surface of an earlier execution is drawn in place of it: times and counts of this filter
   * are then those of that execution. The next execution that makes a picture gets its memory.
   */
  void ReleasePicture(const Surface& drawn);

  /**
   * Releases the surface or the picture, and frees the memory that the device keeps for the next one. The samples stay
   * on the device.
   * The next update extracts the surface again. Until then, times and counts are 0.
   */
  void ReleaseSurface();

  /**
   * The device that Device names, as OpenGL identifies it (GL_DEVICE_UUID_EXT, GL_DRIVER_UUID_EXT). Opens it. Empty,
   * with the reason, if it cannot be opened or does not export memory.
   */
  struct Identity
  {
    std::array<std::uint8_t, 16> device{}, driver{};
    bool operator==(const Identity& other) const
    {
      return this->device == other.device && this->driver == other.driver;
    }
  };
  std::optional<Identity> GetExportingDevice(std::string& reason);

protected:
  vtkVulkanIsosurfaceBuffers();
  ~vtkVulkanIsosurfaceBuffers() override;

  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  void Publish(const vmc::Report& report) override;
  vmc::Request MakeRequest() override;
  vmc::filters::SampleChoice ChooseSamples(vtkInformation* info, vtkImageData* image) override;
  void Extract(const vmc::filters::Extraction& extraction, vtkPolyData* output) override;
  std::string MakeNote() override;
  void ReleaseVolumes(std::uint64_t identity) override;

private:
  vtkVulkanIsosurfaceBuffers(const vtkVulkanIsosurfaceBuffers&) = delete;
  void operator=(const vtkVulkanIsosurfaceBuffers&) = delete;

  class Internals;
  std::unique_ptr<Internals> Buffers;
  int Memory = HOST_MEMORY;
};

#endif
