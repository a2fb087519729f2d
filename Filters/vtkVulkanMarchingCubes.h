/**
 * @class   vtkVulkanMarchingCubes
 * @brief   isosurfaces of cell-centred image volumes, by Vulkan compute
 *
 * Extracts isosurfaces of a scalar cell array of vtkImageData by marching cubes on the dual grid: the samples sit at
 * the cell centres, where the data is, and nothing is averaged to the points first. Point arrays are accepted too; then
 * the samples sit on the points. The result is that of vtkFlyingEdges3D run on the dual image, point for point and
 * triangle for triangle but for the choice of diagonals inside a polygon, in world space: origin, spacing, extent and
 * direction matrix are honoured.
 *
 * The volume is cut into bricks of 8 x 8 x 8 samples. Passes on the device: the range of every brick (once for each
 * volume); per isovalue, the bricks whose range spans it are selected, their points and triangles counted, both counts
 * scanned, and exactly that much output written. The samples stay on the device while the same array is contoured, so
 * that another isovalue uploads nothing. An array is known by its modification time, address, length and type, and by a
 * fingerprint: arrays of at most 128 KiB are read whole at every execution, of larger ones 512 pieces of 64 bytes. So
 * the filter sees new memory (SetVoidArray, ShallowCopy, DeepCopy) and nearly every writing in place; a few values that
 * are written in place without a call of the array's Modified() may be missed, as by vtkDataArray::GetRange.
 *
 * A sample is inside where sample >= isovalue. Triangles are counterclockwise seen from the side of lower values, and
 * normals point there. A dual cell that touches a NaN makes no triangle. Two runs on one device give identical bytes.
 *
 * Sample types: integers of 8 to 64 bits, signed and unsigned, float and double, all compared exactly. Of an array of
 * several components, one or their magnitude. Ghost cells: hidden and refined cells are blank, and a dual cell that
 * touches one makes nothing; a dual cell belongs to the piece that owns its minimum corner, so that pieces on many
 * ranks make each triangle once. Of point data with ghost points but no ghost cells, it belongs to the piece that the
 * pipeline cut it for, or else to the owner of its maximum corner. Composite data sets of images are contoured leaf by
 * leaf.
 *
 * Machines without a usable Vulkan device, and devices with too little memory, take the way that Fallback tells. The
 * Vulkan loader is opened at run time; the class can be made and asked without it.
 *
 * The default input is the active cell scalars; SetInputArrayToProcess chooses another array.
 *
 * @warning
 * A flat image (fewer than two points along an axis), a spacing that is not positive, steps that are not between 1e-30
 * and 1e34 long, and coordinates beyond the largest float are errors (for points of double: farther than that from the
 * origin). A process that was made by fork() after its parent has used Vulkan has no Vulkan device. A volume of one
 * layer of cells has no dual cell and gives an empty output, unless Boundary extends it. A piece of cell data that
 * comes without ghost cells leaves a gap towards the next one; a warning says so.
 *
 * @sa
 * vtkFlyingEdges3D vtkContourFilter vtkContourValues
 */
#ifndef vtkVulkanMarchingCubes_h
#define vtkVulkanMarchingCubes_h

#include "vtkContourValues.h" // calls are passed through
#include "vtkImageAlgorithm.h"
#include "vtkNew.h"                              // for members
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

#include <memory>   // for the implementation
#include <optional> // for a name that there may be
#include <set>      // for names of arrays
#include <string>   // for UsedDevice

class vtkDataArray;
class vtkDoubleArray;
class vtkPolyData;
class vtkStringArray;
struct ImageSamples;
namespace vmc
{
struct Report;
}

class VTKVULKANMARCHINGCUBESFILTERS_EXPORT vtkVulkanMarchingCubes : public vtkImageAlgorithm
{
public:
  static vtkVulkanMarchingCubes* New();
  vtkTypeMacro(vtkVulkanMarchingCubes, vtkImageAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The output, or null before the pipeline has made one.
   */
  vtkPolyData* GetOutput();
  vtkPolyData* GetOutput(int port);
  ///@}

  /**
   * Also the modification time of the isovalues.
   */
  vtkMTimeType GetMTime() override;

  ///@{
  /**
   * The isovalues, as vtkContourValues keeps them. Any number; each adds its surface to the output, in this order. An
   * isovalue outside the range of the data adds nothing. Default: none.
   */
  void SetValue(int i, double value) { this->ContourValues->SetValue(i, value); }
  double GetValue(int i) { return this->ContourValues->GetValue(i); }
  double* GetValues() { return this->ContourValues->GetValues(); }
  void GetValues(double* values) { this->ContourValues->GetValues(values); }
  void SetNumberOfContours(int number) { this->ContourValues->SetNumberOfContours(number); }
  vtkIdType GetNumberOfContours() { return this->ContourValues->GetNumberOfContours(); }
  void GenerateValues(int number, double range[2]) { this->ContourValues->GenerateValues(number, range); }
  void GenerateValues(int number, double first, double last)
  {
    this->ContourValues->GenerateValues(number, first, last);
  }
  ///@}

  ///@{
  /**
   * Make a point array "Normals" of unit vectors towards lower values: central differences of the samples, one-sided at
   * the border and beside NaN, hidden and refined cells, interpolated along the crossed edge. Default: on.
   */
  vtkSetMacro(ComputeNormals, vtkTypeBool);
  vtkGetMacro(ComputeNormals, vtkTypeBool);
  vtkBooleanMacro(ComputeNormals, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Make a point array "Gradients": the gradient of the samples in values a world unit, towards higher values, made
   * like the normals. Default: off.
   */
  vtkSetMacro(ComputeGradients, vtkTypeBool);
  vtkGetMacro(ComputeGradients, vtkTypeBool);
  vtkBooleanMacro(ComputeGradients, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Make a cell array "SampleIds" of the output: the id of the input's cell (for point data: of its point) at the
   * minimum corner of the dual cell that made the triangle. Default: off.
   */
  vtkSetMacro(ComputeSampleIds, vtkTypeBool);
  vtkGetMacro(ComputeSampleIds, vtkTypeBool);
  vtkBooleanMacro(ComputeSampleIds, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Of an array of several components, the one to contour, from 0; -1: their magnitude. Default: -1.
   */
  vtkSetClampMacro(ArrayComponent, int, -1, VTK_INT_MAX);
  vtkGetMacro(ArrayComponent, int);
  ///@}

  enum BoundaryMode
  {
    BOUNDARY_OPEN = 0,
    BOUNDARY_EXTEND = 1,
    BOUNDARY_CLOSE = 2
  };

  ///@{
  /**
   * How the surface meets the border of the domain. OPEN: it ends with the outermost samples, for cell data half a cell
   * inside. EXTEND: it goes on to the border, where the value of the outermost cells is taken to hold. CLOSE: what lies
   * outside counts as below every isovalue, and a lid along the border closes the surface. Each leaf of a composite has
   * its own border. Default: BOUNDARY_OPEN.
   */
  vtkSetClampMacro(Boundary, int, BOUNDARY_OPEN, BOUNDARY_CLOSE);
  vtkGetMacro(Boundary, int);
  ///@}

  ///@{
  /**
   * vtkAlgorithm::SINGLE_PRECISION, DOUBLE_PRECISION, or DEFAULT_PRECISION: single. In double, a point is right to
   * 2^-22 of a cell or 1 ulp of the coordinate, whichever is larger, wherever the origin lies. Default:
   * DEFAULT_PRECISION.
   */
  vtkSetClampMacro(OutputPointsPrecision, int, SINGLE_PRECISION, DEFAULT_PRECISION);
  vtkGetMacro(OutputPointsPrecision, int);
  ///@}

  ///@{
  /**
   * Make a point array with the isovalue of each point, named like the contoured array and of its type; of type double
   * where that type cannot hold every isovalue. Where the settings ask for another array of that name (Normals,
   * Gradients), its name is "Isovalue". Default: on.
   */
  vtkSetMacro(ComputeScalars, vtkTypeBool);
  vtkGetMacro(ComputeScalars, vtkTypeBool);
  vtkBooleanMacro(ComputeScalars, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Interpolate the other numeric arrays of the contoured array's association (cells or points) to the points of the
   * surface, as float arrays of the same names, whatever their type: ids beyond 2^24 lose digits. One that is named
   * like an array that the settings ask for (Normals, Gradients, SampleIds, the contoured array) is left out, and so
   * are arrays of bits. Default: off.
   */
  vtkSetMacro(InterpolateAttributes, vtkTypeBool);
  vtkGetMacro(InterpolateAttributes, vtkTypeBool);
  vtkBooleanMacro(InterpolateAttributes, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Triangles share their points. Off: every triangle has three points of its own. Default: on.
   */
  vtkSetMacro(MergePoints, vtkTypeBool);
  vtkGetMacro(MergePoints, vtkTypeBool);
  vtkBooleanMacro(MergePoints, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Name of the Vulkan device, or a part of it, as GetDeviceNames lists them; "automatic" or an empty name for the
   * preferred one: a GPU of its own first, software last, and ranks of MPI on one machine spread over equal GPUs.
   * Default: "automatic".
   */
  vtkSetStdStringFromCharMacro(Device);
  vtkGetCharFromStdStringMacro(Device);
  ///@}

  ///@{
  /**
   * Device memory to use at most, in MiB; 0: what the device has. A volume that does not fit passes through the device
   * slab by slab, each time anew, and the output is the same to the byte. Where one layer of bricks, about 18 layers of
   * samples, takes more than that, Fallback tells what happens. Default: 0.
   */
  vtkSetClampMacro(MemoryLimit, int, 0, VTK_INT_MAX);
  vtkGetMacro(MemoryLimit, int);
  ///@}

  enum FallbackMode
  {
    FALLBACK_CPU = 0,
    FALLBACK_ERROR = 1
  };

  ///@{
  /**
   * What to do where Vulkan cannot: no device, or not enough device memory. CPU: warn once an
   * execution with the reason and make the same surface with vtkFlyingEdges3D on the dual image. ERROR: say why as an
   * error; the output stays empty. Default: FALLBACK_CPU.
   */
  vtkSetClampMacro(Fallback, int, FALLBACK_CPU, FALLBACK_ERROR);
  vtkGetMacro(Fallback, int);
  ///@}

  /**
   * Names of the usable Vulkan devices of this machine; empty where there is none. Owned by the filter.
   */
  vtkStringArray* GetDeviceNames();

  /**
   * What made the last output: the name of the Vulkan device, or "CPU: vtkFlyingEdges3D (reason)", with the reason of
   * the first leaf of a composite; of one whose leaves were made in different ways all of them, with "; " in between.
   * Empty before the first execution, and where there was nothing to do.
   */
  vtkGetCharFromStdStringMacro(UsedDevice);

  ///@{
  /**
   * Times of the last execution in milliseconds: copying samples to the device (0 where they were there already),
   * finding the ranges of bricks (likewise), everything from brick selection to the last triangle, copying to the host,
   * and the whole of it by the host's clock. Kernels are timed by the device's own clock.
   */
  vtkGetMacro(UploadTime, double);
  vtkGetMacro(IndexTime, double);
  vtkGetMacro(ExtractTime, double);
  vtkGetMacro(ReadbackTime, double);
  vtkGetMacro(TotalTime, double);
  ///@}

  ///@{
  /**
   * Names and times in milliseconds of the stages of the last execution, in their order. Owned by the filter.
   */
  vtkStringArray* GetStageNames();
  vtkDoubleArray* GetStageTimes();
  ///@}

  ///@{
  /**
   * Of the last execution: the most device memory that was in use at once in bytes, the bricks of the volume, and those
   * among them that an isosurface touches, summed over the isovalues.
   */
  vtkGetMacro(DeviceMemory, vtkIdType);
  vtkGetMacro(NumberOfBricks, vtkIdType);
  vtkGetMacro(NumberOfActiveBricks, vtkIdType);
  ///@}

  /**
   * Also finds out where an execution begins.
   */
  vtkTypeBool ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

protected:
  vtkVulkanMarchingCubes();
  ~vtkVulkanMarchingCubes() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkVulkanMarchingCubes(const vtkVulkanMarchingCubes&) = delete;
  void operator=(const vtkVulkanMarchingCubes&) = delete;

  class Internals;

  // The executive tells when an execution begins and ends; for a composite also, in between, those of each leaf. The
  // outermost are the pass.
  void BeginPass();
  void EndPass();
  // Users may have removed the observers that do so.
  void ObserveExecutions();

  // The names of the arrays that the settings ask for, but for the scalars.
  std::set<std::string> NamesOfComputedArrays();
  // The name of the scalars of the isovalues where this array is contoured; none: the output has no scalars.
  std::optional<std::string> NameOfScalars(vtkDataArray* contoured);

  // Each fills the output and UsedDevice, or throws.
  void Contour(const ImageSamples& samples, vtkPolyData* output);
  void ContourOnDevice(const ImageSamples& samples, vtkPolyData* output);
  void ContourOnCpu(const ImageSamples& samples, const std::string& reason, vtkPolyData* output);

  // An output without triangles, but with all arrays, so that leaves and ranks agree.
  void MakeEmpty(const ImageSamples& samples, bool withSampleIds, vtkPolyData* output);

  // Told the done part in [0, 1]; false if the execution is to stop.
  bool GoOn(double done);
  // For the leaves of a composite that are no images, after the pass.
  void WarnOfOtherLeaves();
  // Makes what the core reported of the pass the values that users read.
  void Publish(const vmc::Report& report);
  // Once a pass for each name.
  void AddUsedDevice(const std::string& name);

  vtkNew<vtkContourValues> ContourValues;
  vtkTypeBool ComputeNormals = 1;
  vtkTypeBool ComputeGradients = 0;
  vtkTypeBool ComputeSampleIds = 0;
  vtkTypeBool ComputeScalars = 1;
  int ArrayComponent = -1;
  int Boundary = BOUNDARY_OPEN;
  int OutputPointsPrecision = DEFAULT_PRECISION;
  vtkTypeBool InterpolateAttributes = 0;
  vtkTypeBool MergePoints = 1;
  std::string Device = "automatic";
  int MemoryLimit = 0;
  int Fallback = FALLBACK_CPU;

  std::string UsedDevice;
  double UploadTime = 0;
  double IndexTime = 0;
  double ExtractTime = 0;
  double ReadbackTime = 0;
  double TotalTime = 0;
  vtkIdType DeviceMemory = 0;
  vtkIdType NumberOfBricks = 0;
  vtkIdType NumberOfActiveBricks = 0;

  std::unique_ptr<Internals> Impl;
};

#endif
