// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @class   vtkVulkanImageHistogram
 * @brief   histogram of an image, with the number of cells that each isovalue cuts, by Vulkan compute or threads of the
 * CPU
 *
 * Counts the samples of a cell array or a point array of vtkImageData or vtkRectilinearGrid by value, and the dual
 * cells that an isosurface would cut. The samples are those that vtkVulkanMarchingCubes contours. Both filters share
 * the uploaded array: after one of them, the other one needs no upload. On the CPU, threads compute the same table.
 *
 * The output has one row per bin:
 * - Lower, Upper (double): the bin contains samples s with Lower <= s < Upper, the last bin also those equal to Upper.
 * - Samples (64-bit integers): the number of samples in the bin.
 * - CutCells (64-bit integers): the number of dual cells that an isovalue at the middle of the bin cuts. A cell is cut
 *   if at least one of its corners is inside (sample >= isovalue) and at least one is not.
 * - VolumeAbove (double): the volume, in world units, of the samples that are at least Lower, including those above the
 *   last bin: their number times the volume of one cell of the image. The samples of a rectilinear grid have the
 * volumes of their cells. The cell of a point reaches half-way to its neighbours, and equally far on the other side at
 * the border: at equal distances, each has the volume of a cell, as in an image. The sum of these volumes is accurate
 * to a few units in the last place and does not depend on threads.
 * - bin_extents (double): the middle of the bin, named as in ParaView's histograms, so that its charts use it as x
 * axis.
 *
 * Field data of the output, one tuple each but for Valleys: Array (the name), Component (its name, its number or
 * "Magnitude"), DataRange (smallest and largest finite sample), the numbers of samples outside of all bins: NaN, Ghosts
 * (hidden cells, and refined ones of images counted alone; for point data, hidden points), Below and Above (the bins;
 * infinities too); and suggested isovalues: OtsuThreshold (Otsu's threshold, with the fullest bin left out as
 * background), Valleys (a value between each two neighbouring peaks that are clearly apart, in ascending order, at most
 * 15; in label maps, half-way between each two neighbouring labels) and MostCutCells (the middle of the bin that cuts
 * most cells; in noisy images, a value within the noise). A suggestion is missing if no isovalue cuts a cell,
 * OtsuThreshold also if all samples are in one bin, Valleys if there are no such peaks. DataRange is missing if no
 * sample is finite; then there are no bins unless CustomRange is used.
 *
 * All counts are exact, for all sample types: signed and unsigned integers of 8 to 64 bits, float and double. Two
 * executions give identical bytes, on the device and on the CPU. Of an array of several components, one component or
 * their magnitude is counted.
 *
 * The blocks of a composite data set are counted together. With JoinBlocks, blocks that vtkVulkanMarchingCubes joins
 * are one grid of one or several levels, as its surface: each value of the grid counts once, with the volume of its
 * cell. Where finer blocks cover a coarse cell, they count and the coarse cell does not. Dual cells between blocks and
 * levels count as others do. A coarse cell that finer ones cover in part counts with its whole volume. Other images,
 * and all rectilinear grids, are counted alone, with their own border and cell size, and so are all leaves without
 * JoinBlocks: then refined cells are ghosts. Blocks of several ranks are joined, as vtkVulkanMarchingCubes does.
 *
 * Pieces on several ranks are counted together too: the global controller adds their counts, and each sample and each
 * dual cell is counted once. Rank 0 has the table, the other ranks have an empty one. All ranks must execute the
 * filter. A point of point data belongs to the piece that owns the cell whose minimum corner it is; it is left out if
 * that cell is hidden.
 *
 * The default input is the active cell scalars, or else the only numeric array; SetInputArrayToProcess selects another
 * array. Blocks that are neither images nor grids, or do not have the array, are left out with a warning. It is an
 * error if no block has the array. An error is reported once and sets the ErrorCode; the output is then empty on all
 * ranks, and filters downstream execute with it.
 *
 * @sa
 * vtkVulkanMarchingCubes vtkExtractHistogram
 */
#ifndef vtkVulkanImageHistogram_h
#define vtkVulkanImageHistogram_h

#include "vtkTableAlgorithm.h"
#include "vtkVulkanDeviceSettings.h"
#include "vtkVulkanMarchingCubesFiltersModule.h" // export macro

#include <memory> // for the implementation

class vtkStringArray;

class VTKVULKANMARCHINGCUBESFILTERS_EXPORT vtkVulkanImageHistogram : public vtkTableAlgorithm
{
public:
  static vtkVulkanImageHistogram* New();
  vtkTypeMacro(vtkVulkanImageHistogram, vtkTableAlgorithm);
  void PrintSelf(ostream& os, vtkIndent indent) override;

  ///@{
  /**
   * The component to count, counted from 0; -1 is the magnitude of all components. Since VTK 9.6, a component or the L2
   * norm that SetInputArrayToProcess names has precedence, and other norms are errors. Default: -1.
   */
  vtkSetClampMacro(ArrayComponent, int, -1, VTK_INT_MAX);
  vtkGetMacro(ArrayComponent, int);
  ///@}

  ///@{
  /**
   * How a surface would end at the border of the domain, as vtkVulkanMarchingCubes::BoundaryMode. It changes CutCells
   * only. Default: BOUNDARY_OPEN.
   */
  vtkSetClampMacro(Boundary, int, 0, 2);
  vtkGetMacro(Boundary, int);
  ///@}

  ///@{
  /**
   * Whether the blocks of a composite data set that share a lattice are counted as one grid, as
   * vtkVulkanMarchingCubes::JoinBlocks. Other input is not affected. Default: on.
   */
  vtkSetMacro(JoinBlocks, vtkTypeBool);
  vtkGetMacro(JoinBlocks, vtkTypeBool);
  vtkBooleanMacro(JoinBlocks, vtkTypeBool);
  ///@}

  ///@{
  /**
   * The number of bins, at most 1024; 0: chosen by the type. Then integers have at most 1024 bins (of 8 bits: 256) with
   * the same whole number of integers each, beginning at the smallest one, and floats have 1024 bins. If this number is
   * set, the bins are those of numpy.histogram for all types. There are fewer bins if double cannot represent them.
   * Default: 0.
   */
  vtkSetClampMacro(NumberOfBins, int, 0, 1024);
  vtkGetMacro(NumberOfBins, int);
  ///@}

  ///@{
  /**
   * Whether the bins cover CustomRange instead of the range of the data. The range must be finite and in ascending
   * order. Defaults: off, 0 to 255.
   */
  vtkSetMacro(UseCustomRange, vtkTypeBool);
  vtkGetMacro(UseCustomRange, vtkTypeBool);
  vtkBooleanMacro(UseCustomRange, vtkTypeBool);
  vtkSetVector2Macro(CustomRange, double);
  vtkGetVector2Macro(CustomRange, double);
  ///@}

  ///@{
  /**
   * The device, and what happens if it fails: see vtkVulkanMarchingCubes. With the device of the settings, the CPU
   * finds the range of 64-bit samples, and of images with ghost cells, with a closed boundary or with infinite samples,
   * and counts joined blocks; then UsedDevice lists both, separated by "; ". The CPU also sums the volumes of
   * rectilinear grids. UsedDevice is empty if there was nothing to count. A fallback causes
   * no warning.
   */
  vtkVulkanDeviceMacro();
  ///@}

  ///@{
  /**
   * Times of the last execution on this rank, in milliseconds. Upload: copying samples to the device (0 if they were
   * there already). Count: computing the range and the counts, by the clock of the device, or of the host for the CPU.
   * Total: the whole execution by the host's clock.
   */
  vtkGetMacro(UploadTime, double);
  vtkGetMacro(CountTime, double);
  vtkGetMacro(TotalTime, double);
  ///@}

protected:
  vtkVulkanImageHistogram();
  ~vtkVulkanImageHistogram() override;

  int FillInputPortInformation(int port, vtkInformation* info) override;
  int RequestUpdateExtent(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;
  int RequestData(vtkInformation*, vtkInformationVector**, vtkInformationVector*) override;

private:
  vtkVulkanImageHistogram(const vtkVulkanImageHistogram&) = delete;
  void operator=(const vtkVulkanImageHistogram&) = delete;

  class Internals;
  class Run;

  int ArrayComponent = -1;
  int Boundary = 0;
  vtkTypeBool JoinBlocks = 1;
  int NumberOfBins = 0;
  vtkTypeBool UseCustomRange = 0;
  double CustomRange[2] = { 0, 255 };
  double UploadTime = 0;
  double CountTime = 0;
  double TotalTime = 0;

  std::unique_ptr<Internals> Impl;
};

#endif
