// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkVulkanMarchingCubes
 * @brief   isosurfaces of cell-centred image volumes, by Vulkan compute or threads of the CPU
 *
 * Extracts isosurfaces of a scalar cell array of vtkImageData or vtkRectilinearGrid by marching cubes on the dual grid.
 * The samples lie at
 * the cell centres; cell data is not averaged to the points first. Point arrays are accepted too; their samples lie at
 * the points. The output has the points and triangles of vtkFlyingEdges3D on the dual image, except for the choice of
 * diagonals inside a polygon. It is in world space: origin, spacing, extent and direction matrix are honoured.
 *
 * The volume is cut into bricks of 8 x 8 x 8 samples. The device computes the value range of every brick once per
 * volume. Per isovalue, it selects the bricks whose range spans the isovalue, counts their points and triangles, scans
 * both counts, and writes an output of exactly that size. The samples stay on the device while the same array is
 * contoured, so a new isovalue needs no upload. Threads of the CPU read the samples in place and keep the ranges. The
 * filter recognizes an array by its modification time, address, length, type, and a fingerprint of its values. For the
 * fingerprint, every execution reads all values of an array of at most 128 KiB, and 512 pieces of 64 bytes of a larger
 * array. So the filter detects new memory (SetVoidArray, ShallowCopy, DeepCopy) and nearly every write in place. It may
 * miss a few values that are written in place without a call of the array's Modified(), as vtkDataArray::GetRange does.
 *
 * A sample is inside if sample >= isovalue. Triangles are counterclockwise seen from the side of lower values, and
 * normals point to that side. A dual cell that touches a NaN makes no triangle. Two runs on one device give identical
 * bytes, for any number of threads. All devices, also the CPU, make the same points and triangles in the same order;
 * coordinates and other values may differ in the last bits.
 *
 * Sample types are signed and unsigned integers of 8 to 64 bits, float and double; all are compared exactly. Of an
 * array of several components, one component or their magnitude is contoured. Hidden and refined cells are blank, and a
 * dual cell that touches a blank cell makes no triangle. A dual cell belongs to the piece that owns its minimum corner,
 * so pieces on several ranks make each triangle once. If point data has ghost points but no ghost cells, a dual cell
 * belongs to the piece whose extent in the pipeline contains it, or else to the owner of its maximum corner.
 *
 * A composite data set of images gives one surface (JoinBlocks). Blocks of cell data with one direction matrix whose
 * cells lie on one lattice are one grid, in any number of levels with integer ratios: AMR, and the pieces of one image.
 * The dual grid goes on across the sides of blocks and levels, so that the surface has no cracks there. Between two
 * levels, its dual cells connect the centres of the finest cells that are there; a coarse cell counts where no finer
 * block covers it. Other images and all rectilinear grids are contoured alone, and their surfaces are appended. Without
 * JoinBlocks, the output is a composite data set of the surfaces of the leaves.
 *
 * The Vulkan loader is opened at run time, and only for a Vulkan device. By default, the CPU computes the surface if
 * there is no GPU.
 * Fallback sets what happens if a Vulkan device that was chosen fails or has too little memory.
 *
 * The default input is the active cell scalars, or else the only numeric array; SetInputArrayToProcess selects another
 * array.
 *
 * An execution that fails reports one error, sets the ErrorCode (0 after a success) and has an empty output. Filters
 * and writers downstream do not execute in that update. The pipeline then regards the output as up to date: the filter
 * executes again after the next modification, and another update before that passes the empty output on. In a composite
 * data set, the blocks that fail are left out; VTK regards the execution as a success, unless all blocks of a joined
 * surface fail.
 *
 * @warning
 * These are errors: a flat image (fewer than two points along an axis), a spacing that is not positive, coordinates of
 * a rectilinear grid that do not increase, a step whose length is not between 1e-30 and 1e34, and a coordinate beyond
 * the largest float (for points of double: a distance from the origin beyond it). A process created by fork() after its
 * parent has used Vulkan has no Vulkan device, but the CPU. A volume of one layer of cells has no dual cell and gives
 * an empty output and a note, unless Boundary extends it. A piece of cell data without ghost cells leaves a gap to the
 * next piece, as blocks of a composite data set do without JoinBlocks; the filter warns about it.
 *
 * @par Ranks
 * If the processes of the global controller make one piece of the output each, their blocks are joined, and each
 * process gets copies of the blocks of others that are near its own ones. All ranks must execute the filter then, also
 * those without blocks. Together they make the triangles of one process; an error of one rank's block is reported by
 * all. Measures and regions, also those of an image of which each process has a piece, are those of the whole surface:
 * each process knows all of them, and its output has its triangles of the regions that remain. All ranks must execute
 * the filter for that, too.
 *
 * @sa
 * vtkFlyingEdges3D vtkContourFilter vtkContourValues
 */
#ifndef vtkVulkanMarchingCubes_h
#define vtkVulkanMarchingCubes_h

#include "vtkContourValues.h" // calls are passed through
#include "vtkImageAlgorithm.h"
#include "vtkNew.h" // for members
#include "vtkVulkanDeviceSettings.h"
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

#include <memory> // for the implementation
#include <string>

class vtkDataArray;
class vtkDoubleArray;
class vtkPolyData;
class vtkStringArray;
class vtkTable;

class VTKVULKANMARCHINGCUBESFILTERS_EXPORT vtkVulkanMarchingCubes : public vtkImageAlgorithm
{
public:
  static vtkVulkanMarchingCubes* New();
  vtkTypeMacro(vtkVulkanMarchingCubes, vtkImageAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The output, or null before the pipeline has created it.
   */
  vtkPolyData* GetOutput();
  vtkPolyData* GetOutput(int port);
  ///@}

  /**
   * The modification time of the filter or of its isovalues, whichever is later.
   */
  vtkMTimeType GetMTime() override;

  ///@{
  /**
   * The isovalues, as in vtkContourValues. Each isovalue adds its surface to the output, in this order. An isovalue
   * outside the range of the data adds nothing. Default: none.
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
   * Compute a point array "Normals" of unit vectors that point towards lower values. They come from central differences
   * of the samples, interpolated along the crossed edge. Differences are one-sided at the border and next to NaN,
   * hidden and refined cells. Default: on.
   */
  vtkSetMacro(ComputeNormals, vtkTypeBool);
  vtkGetMacro(ComputeNormals, vtkTypeBool);
  vtkBooleanMacro(ComputeNormals, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Compute a point array "Gradients": the gradient of the samples, in values per world unit. It points towards higher
   * values and comes from the same differences as the normals. Default: off.
   */
  vtkSetMacro(ComputeGradients, vtkTypeBool);
  vtkGetMacro(ComputeGradients, vtkTypeBool);
  vtkBooleanMacro(ComputeGradients, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Compute a cell array "SampleIds" with one id per triangle: the id of the input cell (for point data: the input
   * point) at the minimum corner of the triangle's dual cell. Joined blocks have two more cell arrays: "SampleBlocks"
   * with the flat index of the block in the composite data set, and "SampleLevels" with its level. The id is that of
   * the cell in this block. In a dual cell between two levels, it is the first cell of the finer one. Default: off.
   */
  vtkSetMacro(ComputeSampleIds, vtkTypeBool);
  vtkGetMacro(ComputeSampleIds, vtkTypeBool);
  vtkBooleanMacro(ComputeSampleIds, vtkTypeBool);
  ///@}

  ///@{
  /**
   * The component to contour, counted from 0; -1 is the magnitude of all components. Since VTK 9.6, a component or the
   * L2 norm that SetInputArrayToProcess names has precedence, and other norms are errors. Default: -1.
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
   * How the surface ends at the border of the domain. OPEN: the surface ends at the outermost samples; for cell data
   * they are half a cell inside the border. EXTEND: the surface continues to the border, where samples have the values
   * of the outermost cells. CLOSE: everything outside the domain counts as below the isovalue, and a cap along the
   * border closes the surface. Blocks and levels that are joined have one border, the box of the coarsest cells around
   * them; each block that is contoured alone has its own. Default: BOUNDARY_OPEN.
   */
  vtkSetClampMacro(Boundary, int, BOUNDARY_OPEN, BOUNDARY_CLOSE);
  vtkGetMacro(Boundary, int);
  ///@}

  ///@{
  /**
   * If on, a composite data set gives one surface without cracks between blocks and levels that share a lattice, as
   * vtkPolyData. If off, each leaf is contoured alone, and the output is a composite data set of their surfaces: of the
   * type of the input, of vtkMultiBlockDataSet for an AMR. Other input is not affected. Default: on.
   */
  vtkSetMacro(JoinBlocks, vtkTypeBool);
  vtkGetMacro(JoinBlocks, vtkTypeBool);
  vtkBooleanMacro(JoinBlocks, vtkTypeBool);
  ///@}

  ///@{
  /**
   * vtkAlgorithm::SINGLE_PRECISION, DOUBLE_PRECISION, or DEFAULT_PRECISION, which is single. In double, the error of a
   * point is at most 2^-22 of a cell or 1 ulp of the coordinate, whichever is larger, for any origin. Default:
   * DEFAULT_PRECISION.
   */
  vtkSetClampMacro(OutputPointsPrecision, int, SINGLE_PRECISION, DEFAULT_PRECISION);
  vtkGetMacro(OutputPointsPrecision, int);
  ///@}

  ///@{
  /**
   * Compute a point array with the isovalue of each point. It has the name and the type of the contoured array. If that
   * type cannot represent every isovalue, it has type double. If the settings request another array of that name
   * (Normals, Gradients), its name is "Isovalue". Default: on.
   */
  vtkSetMacro(ComputeScalars, vtkTypeBool);
  vtkGetMacro(ComputeScalars, vtkTypeBool);
  vtkBooleanMacro(ComputeScalars, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Interpolate the other numeric arrays of the contoured array's association (cells or points) to the points of the
   * surface. The results are float arrays of the same names: ids beyond 2^24 lose digits. Left out are bit arrays, and
   * arrays with the name of an array that the settings request (Normals, Gradients, SampleIds, the contoured array).
   * Default: off.
   */
  vtkSetMacro(InterpolateAttributes, vtkTypeBool);
  vtkGetMacro(InterpolateAttributes, vtkTypeBool);
  vtkBooleanMacro(InterpolateAttributes, vtkTypeBool);
  ///@}

  ///@{
  /**
   * If on, triangles share points. If off, every triangle has three points of its own. Default: on.
   */
  vtkSetMacro(MergePoints, vtkTypeBool);
  vtkGetMacro(MergePoints, vtkTypeBool);
  vtkBooleanMacro(MergePoints, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Measure the surface of each isovalue (see GetMeasures): area, enclosed volume, number of open edges, centroid and
   * bounds. Default: off.
   */
  vtkSetMacro(ComputeMeasures, vtkTypeBool);
  vtkGetMacro(ComputeMeasures, vtkTypeBool);
  vtkBooleanMacro(ComputeMeasures, vtkTypeBool);
  ///@}

  ///@{
  /**
   * Number the regions of the surface, its pieces that are connected by shared points: adds a point and a cell array
   * "RegionId" (32-bit integers), and the rows of GetRegions. Region 0 has most triangles; among regions of equal size,
   * the one with the first point has the smallest number. Surfaces of different isovalues are different regions.
   * Default: off.
   */
  vtkSetMacro(ComputeRegions, vtkTypeBool);
  vtkGetMacro(ComputeRegions, vtkTypeBool);
  vtkBooleanMacro(ComputeRegions, vtkTypeBool);
  ///@}

  enum KeepMode
  {
    KEEP_ALL = 0,
    KEEP_LARGEST = 1,
    KEEP_TRIANGLES = 2,
    KEEP_AREA = 3,
    KEEP_VOLUME = 4,
    KEEP_TOUCHING_BORDER = 5,
    KEEP_NOT_TOUCHING_BORDER = 6,
    KEEP_NEAREST = 7
  };

  ///@{
  /**
   * The regions that the output has; the others are left out with their points. ALL. LARGEST: of each isovalue the
   * NumberOfKeptRegions regions with most triangles. TRIANGLES, AREA, VOLUME: those with at least LeastSize triangles,
   * or such an area or volume in world units. TOUCHING_BORDER: those that reach the border of the domain, or end at
   * cells without a value; NOT_TOUCHING_BORDER: the others. NEAREST: of each isovalue the region with the point that is
   * nearest to NearestTo, in world coordinates. Defaults: KEEP_ALL, 1, 100, (0, 0, 0).
   */
  vtkSetClampMacro(KeepRegions, int, KEEP_ALL, KEEP_NEAREST);
  vtkGetMacro(KeepRegions, int);
  vtkSetClampMacro(NumberOfKeptRegions, int, 1, VTK_INT_MAX);
  vtkGetMacro(NumberOfKeptRegions, int);
  vtkSetClampMacro(LeastSize, double, 0, VTK_DOUBLE_MAX);
  vtkGetMacro(LeastSize, double);
  vtkSetVector3Macro(NearestTo, double);
  vtkGetVector3Macro(NearestTo, double);
  ///@}

  enum IdWidth
  {
    IDS_64_BIT = 0,
    IDS_32_BIT = 1
  };

  ///@{
  /**
   * The width of the ids in the output's cells: the points of triangles and, before VTK 9.6, their offsets. With 64
   * bits, they are vtkIdType, as in the outputs of VTK's own filters. With 32 bits, triangles take half of the memory,
   * but filters that hold two cells of the output at once may fail or give wrong results: vtkMultiObjectMassProperties
   * and vtkSmoothPolyDataFilter with feature edges do, and with VTK 9.2 vtkLoopSubdivisionFilter,
   * vtkButterflySubdivisionFilter and vtkLinearSubdivisionFilter. Ids that need more than 32 bits have 64. Since
   * VTK 9.6, the cells are in storage of fixed size: call ConvertToDefaultStorage() before cells that are no triangles
   * are inserted. Default: IDS_64_BIT.
   */
  vtkSetClampMacro(OutputIds, int, IDS_64_BIT, IDS_32_BIT);
  vtkGetMacro(OutputIds, int);
  ///@}

  ///@{
  /**
   * Device: the name of a device, or a part of it, as listed by DeviceNames, or its name with its kind (DeviceKinds),
   * as in "NVIDIA H200 (discrete GPU)". "CPU", in upper or lower case: threads of the CPU, as many as vtkSMPTools uses.
   * "All GPUs": those of the best kind compute layers of an image at the same time; the output has the bytes of one
   * GPU. One that fails is left out, with a warning once per process and reason. Each of several ranks on a machine
   * uses one. "automatic" or an empty name selects the preferred GPU, a discrete one first, or else the CPU; software
   * Vulkan is never selected automatically. MPI ranks on one machine are distributed over equal GPUs. The environment
   * variable VMC_DEVICE replaces this preference: the number of a device in DeviceNames, counted from 0, its UUID, its
   * name, or a part of its name. A name that no device has is an error, unless there is no Vulkan device at all; then
   * Fallback applies. Default: "automatic".
   *
   * MemoryLimit: the largest amount of device memory to use while this filter executes, in MiB; 0 means no limit but
   * the device's. The memory of all filters of the process that use the device counts; what other filters keep there is
   * freed if it has to be, and their next execution uploads it again. A volume that does not fit passes through in
   * windows of some layers, of which each execution uploads those that may have a surface; the output has the same
   * bytes. If one layer of bricks (about 18 layers of samples) exceeds the limit, Fallback applies. The limit has no
   * effect on the CPU. Default: 0.
   *
   * Fallback: the result if the chosen Vulkan device cannot be used, or has not enough memory. CPU: the same surface
   * from the CPU, and a warning once per process and reason. ERROR: the reason as an error; the output stays empty. If
   * there are Vulkan devices but none has the name in Device, both report an error. Default: FALLBACK_CPU.
   *
   * DeviceNames: the devices that SetDevice accepts: the usable Vulkan devices of this machine, "All GPUs" if there are
   * several GPUs of one kind, and last "CPU". DeviceKinds: their kinds, in the same order: "discrete GPU", "virtual
   * GPU", "integrated GPU", "other", "software", "together", "threads". The filter owns both arrays.
   *
   * UsedDevice: the device that computed the last output: the name of the Vulkan device, or the CPU with its threads,
   * as in "CPU, 16 threads". If several devices computed parts of a composite data set, all are listed, separated by
   * "; ", those of "All GPUs" by " + ". Empty before the first execution, and if there was nothing to do.
   *
   * FallbackReason: the reason why the CPU computed the last output in place of the chosen Vulkan device, as one or
   * more sentences. Empty if the chosen device computed it.
   */
  vtkVulkanDeviceMacro();
  ///@}

  /**
   * A sentence about isovalues of the last execution that have no surface because they lie outside the range of the
   * samples, or about an input without a dual cell, as it has one layer of cells. Empty if there is no such reason, and
   * if the output is one of several pieces.
   */
  virtual const char* GetNote() { return this->Results.Note.c_str(); }

  ///@{
  /**
   * Times of the last execution in milliseconds. Upload: copying samples to the device, or those of joined blocks to
   * the bricks of their levels (0 if they were there already).
   * Index: computing the value ranges of the bricks (0 if they were known already). Extract: from the selection of
   * bricks to the last triangle. Readback: copying the surface to the host. Total: the whole
   * execution by the host's clock. Kernels are timed by the device's clock.
   */
  vtkGetMacro(UploadTime, double);
  vtkGetMacro(IndexTime, double);
  vtkGetMacro(ExtractTime, double);
  vtkGetMacro(ReadbackTime, double);
  vtkGetMacro(TotalTime, double);
  ///@}

  ///@{
  /**
   * Names and times in milliseconds of the timed stages of the last execution, in order. The times add up to the total;
   * the last stage, "Other", is the rest. A stage that did not run is left out: without "Upload", the samples were on
   * the device. "OpenDevice" includes a device that a renderer opened just before the execution. Owned by the filter.
   */
  vtkStringArray* GetStageNames();
  vtkDoubleArray* GetStageTimes();
  ///@}

  ///@{
  /**
   * Numbers of points and triangles that the last execution made, of a composite data set those of the blocks without
   * an error. 0 before the first execution.
   */
  vtkGetMacro(NumberOfPoints, vtkIdType);
  vtkGetMacro(NumberOfTriangles, vtkIdType);
  ///@}

  ///@{
  /**
   * The measures of the surfaces of the last execution, one row per isovalue, after regions were left out. Columns, all
   * of double: Isovalue, Triangles; with ComputeMeasures SurfaceArea and EnclosedVolume in world units, OpenEdges
   * (edges of one triangle alone), SurfaceCentroid (of the area; 3 components), SurfaceBounds (6 components, as in
   * vtkPoints; of an empty surface 1, -1, ...); with ComputeRegions or KeepRegions NumberOfRegions. EnclosedVolume is
   * meaningful if OpenEdges is 0, as with BOUNDARY_CLOSE; it is that above the isovalue, so a surface around lower
   * values counts negatively. With open edges, it is that of the cones from the centre of the bounds. With
   * ComputeMeasures also VolumeAbove, the volume of the samples that are not below the isovalue, and ShareOfDomain, its
   * share of the volume of all samples, as vtkVulkanImageHistogram counts them: a sample has the volume of its cell,
   * and NaN, hidden samples and those of other pieces do not count. Neither depends on Boundary or on regions. The
   * table has no columns if nothing of this was requested. Owned by the filter.
   */
  vtkTable* GetMeasures();
  /**
   * The columns of GetMeasures; empty arrays if there are none.
   */
  vtkDoubleArray* GetSurfaceArea();
  vtkDoubleArray* GetEnclosedVolume();
  vtkDoubleArray* GetOpenEdges();
  vtkDoubleArray* GetSurfaceCentroid();
  vtkDoubleArray* GetSurfaceBounds();
  vtkDoubleArray* GetVolumeAbove();
  vtkDoubleArray* GetShareOfDomain();
  vtkDoubleArray* GetNumberOfRegions();
  ///@}

  /**
   * The regions of the last execution that the output has: the second output. Row i is that of RegionId i. Columns:
   * RegionId, Isovalue, Triangles, and SurfaceArea to SurfaceBounds as in GetMeasures. It has no columns without
   * ComputeRegions, and on other ranks than the first one, as a client shows the tables of all ranks together.
   */
  vtkTable* GetRegions();

  ///@{
  /**
   * Values of the last execution: the largest amount of device memory in use at one time by all filters of the process,
   * in bytes; the number of bricks of the volume; the number of bricks that an isosurface touches, summed over the
   * isovalues.
   */
  vtkGetMacro(DeviceMemory, vtkIdType);
  vtkGetMacro(NumberOfBricks, vtkIdType);
  vtkGetMacro(NumberOfActiveBricks, vtkIdType);
  ///@}

#ifndef __VTK_WRAP__
  /**
   * The array of the image to contour, and its association: the chosen array, or else the only one. Null if there is
   * none.
   */
  vtkDataArray* FindArray(vtkImageData* image, int& association);

  ///@{
  /**
   * The only array that InterpolateAttributes interpolates; empty: all. Default: empty.
   */
  vtkSetMacro(OnlyAttribute, std::string);
  vtkGetMacro(OnlyAttribute, std::string);
  ///@}

  ///@{
  /**
   * If off, the blocks and regions of other ranks are not joined, so that a rank may execute the filter alone. Default:
   * on.
   */
  vtkSetMacro(JoinRanks, bool);
  vtkGetMacro(JoinRanks, bool);
  ///@}

  /**
   * Replaces the results of the last execution. vtkVulkanIsosurfaceMapper extracts surfaces with the settings of this
   * filter, and does not execute it.
   */
  struct Run;
  void SetLastRun(const Run& run);
#endif

  /**
   * Also makes an output of the type that the input needs.
   */
  vtkTypeBool ProcessRequest(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

protected:
  vtkVulkanMarchingCubes();
  ~vtkVulkanMarchingCubes() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int FillOutputPortInformation(int port, vtkInformation* info) override;
  int RequestInformation(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkVulkanMarchingCubes(const vtkVulkanMarchingCubes&) = delete;
  void operator=(const vtkVulkanMarchingCubes&) = delete;

  class Internals;

  vtkNew<vtkContourValues> ContourValues;
  vtkTypeBool ComputeNormals = 1;
  vtkTypeBool ComputeGradients = 0;
  vtkTypeBool ComputeSampleIds = 0;
  vtkTypeBool ComputeScalars = 1;
  int ArrayComponent = -1;
  int Boundary = BOUNDARY_OPEN;
  vtkTypeBool JoinBlocks = 1;
  int OutputPointsPrecision = DEFAULT_PRECISION;
  vtkTypeBool InterpolateAttributes = 0;
  std::string OnlyAttribute;
  bool JoinRanks = true;
  vtkTypeBool MergePoints = 1;
  int OutputIds = IDS_64_BIT;
  vtkTypeBool ComputeMeasures = 0;
  vtkTypeBool ComputeRegions = 0;
  int KeepRegions = KEEP_ALL;
  int NumberOfKeptRegions = 1;
  double LeastSize = 100;
  double NearestTo[3] = { 0, 0, 0 };
  vtkIdType NumberOfPoints = 0;
  vtkIdType NumberOfTriangles = 0;
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
