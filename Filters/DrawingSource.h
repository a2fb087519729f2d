// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Surfaces, and pictures of them by rays, in memory that a renderer reads directly.
#ifndef vmcDrawingSource_h
#define vmcDrawingSource_h

#include "ContourRun.h"

#include "vtkSmartPointer.h"
#include "vtkVulkanMarchingCubes.h"
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

#include "Compute/Contour/Request.h"
#include "Compute/Rays/RayRequest.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

class vtkPolyData;

namespace vmc
{
class Buffer;
class Context;
class DeviceEngine;
}

namespace vmc::filters
{

class ContourParts;
class SessionUser;

// An array of values of 4 bytes: float, or unsigned. It is on the device or in host memory; neither, if it is empty.
struct DrawnArray
{
  std::uint32_t components = 0; // per point, triangle or pixel; 0: there is no array
  std::uint64_t sizeInBytes = 0;
  const vmc::Buffer* buffer = nullptr; // exported by the device
  std::uint64_t identity = 0;          // of the buffer; no other buffer ever has it
  vmc::Context* context = nullptr;     // of the buffer
  const void* host = nullptr;
};

// A file descriptor of the memory of a buffer, the size of that memory, and the size of the buffer in it, in bytes. The
// buffer begins at byte 0 of the memory and may hold the arrays of later surfaces too. The receiver owns the
// descriptor. A negative descriptor: the memory cannot be exported.
struct ExportedMemory
{
  int fileDescriptor = -1;
  std::uint64_t memorySize = 0;
  std::uint64_t bufferSize = 0;
};
VTKVULKANMARCHINGCUBESFILTERS_EXPORT ExportedMemory exportMemory(const DrawnArray& array);

// Copies the values of an array in host memory, in several threads.
VTKVULKANMARCHINGCUBESFILTERS_EXPORT void copyFromHost(const DrawnArray& array, void* to);

// A surface. Whoever reads an array must hold `memory`: without it, the next surface gets the same memory. It keeps the
// device open.
struct DrawnSurface
{
  bool isOnDevice = false;
  std::uint64_t pointCount = 0, triangleCount = 0;
  std::array<double, 3> origin{ 0, 0, 0 }; // of the positions
  double valueOrigin = 0;                  // of the values: value = valueOrigin + array element
  DrawnArray positions, normals, values, triangles;
  std::shared_ptr<const void> memory; // of the arrays; null: it was released

  // Releases arrays in host memory, after OpenGL has copied them.
  void releaseHostMemory()
  {
    if (this->isOnDevice)
      return;
    for (DrawnArray* array : { &this->positions, &this->normals, &this->values, &this->triangles })
      array->host = nullptr;
    this->memory.reset();
  }
};

// A picture. Whoever reads it must hold `memory`, as for a surface.
struct DrawnPicture
{
  static constexpr std::uint32_t NoHit = 0x7F800000; // the fourth value of a pixel without a hit

  bool isOnDevice = false;
  std::uint32_t width = 0, height = 0;
  DrawnArray pixels;             // vmc::RayHit (Structs.h): four unsigned values, row by row from the bottom
  std::vector<double> isovalues; // for colours: those that the hits number; empty if other values are requested
  DrawnArray values;             // for colours: of another array, float per pixel and component, in host memory
  std::shared_ptr<const void> memory;
};

// The needs of a frame.
struct DrawingRequest
{
  vtkMTimeType content = 0;   // the last change of the settings or of the data
  std::array<int, 3> piece{}; // number of the piece, number of pieces, ghost levels
  bool exported = false;      // in memory that the device exports, if possible; else in host memory
  bool castRays = false;      // a picture in place of the surface
  bool mayCastRays = false;   // a picture, if the surface does not fit in memory that the device exports
  vmc::RayCamera camera;      // of a picture; the space of the image is the world
  // The values at the points: those of an array of the data, interpolated, or the isovalues if the name is empty or
  // that of the scalars.
  std::optional<std::string> pointValues;
};

// The result of a request: a surface, a picture, or polydata with points. None of them if there is nothing to draw, or
// after an error.
struct VTKVULKANMARCHINGCUBESFILTERS_EXPORT Drawing
{
  DrawingRequest request;
  std::shared_ptr<DrawnSurface> surface;
  std::shared_ptr<const DrawnPicture> picture;
  // The output of the filter for this request. Its arrays have tuples only if the data have several parts with surfaces
  // of their own (ContourParts).
  vtkSmartPointer<vtkPolyData> polyData;
  std::string obstacle;           // the reason why it is not in exported memory although that was requested
  bool isViewUnsupported = false; // the reason of the error
  vtkVulkanMarchingCubes::Run run;

  // Returns whether the request would make the same. A picture depends on the view. After an error, another view would
  // only help if the view was the reason, or its size.
  bool isFor(const DrawingRequest& next) const;
};

// The device that Device of the settings names, as OpenGL identifies it (GL_DEVICE_UUID_EXT, GL_DRIVER_UUID_EXT).
struct DeviceIdentity
{
  std::array<std::uint8_t, 16> device{}, driver{};
  bool operator==(const DeviceIdentity& other) const
  {
    return this->device == other.device && this->driver == other.driver;
  }
};

// Makes surfaces and pictures with the settings of a filter and the data that are its input. One session of the chosen
// engine makes both, so the samples are on the device once. Pictures can be made of a single image.
class VTKVULKANMARCHINGCUBESFILTERS_EXPORT DrawingSource
{
public:
  // settings: must outlive the object. These settings are ignored: ComputeGradients, ComputeSampleIds, JoinBlocks,
  // MergePoints, OutputIds, OutputPointsPrecision, InterpolateAttributes. Errors and warnings are reported as those of
  // the filter; the error of a part is a warning if other parts have surfaces.
  explicit DrawingSource(vtkVulkanMarchingCubes* settings);
  ~DrawingSource();

  // The data must be up to date.
  Drawing make(const DrawingRequest& request);

  // Opens the device. Returns nothing, with the reason, if it cannot be opened or does not export memory.
  std::optional<DeviceIdentity> exportingDevice(std::string& reason);

  // Frees the memory that the device of the last run keeps for the next surface. The samples stay on the device.
  void freeMemory();

  // Ends the session: a volume that no other session uses leaves the device.
  void endSession();

private:
  struct Work;

  // A surface that does not fit in exported memory takes several extractions to fail. After two failures, the next
  // surfaces are not tried, until a much smaller one or another memory limit.
  struct ExportFailures
  {
    int count = 0; // since the last success
    int surfacesToSkip = 0;
    vtkMTimeType content = 0;      // of the last surface that has failed or was skipped: another view fails as well
    std::uint64_t memoryLimit = 0; // of the last surface
    std::uint64_t triangles = 0;   // of the last surface that was downloaded instead

    bool mayTry(vtkMTimeType content, std::uint64_t memoryLimit);
    void add(vtkMTimeType content);
    void addDownload(std::uint64_t triangles);
  };

  // Returns null, with the reason, if the device is the CPU or cannot be opened.
  std::shared_ptr<vmc::DeviceEngine> openDevice(std::string& reason);

  void run(Drawing& drawing);
  void draw(ContourParts& parts, Drawing& drawing); // a single part
  void makeOnEngine(Work& work);
  // Each makes the surface or the picture of the drawing with the current engine. exportSurface returns false if the
  // surface does not fit.
  void make(Work& work);
  bool exportSurface(Work& work);
  void extract(Work& work);
  void cast(Work& work);

  vtkVulkanMarchingCubes* const Settings;
  const std::unique_ptr<SessionUser> Sessions;
  ExportFailures Failures;
};

}

#endif
