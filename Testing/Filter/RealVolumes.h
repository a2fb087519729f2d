// Real volumes, which are not part of the project: where they are not, tests skip and say so.
#ifndef RealVolumes_h
#define RealVolumes_h

#include "vtkImageData.h"
#include "vtkSmartPointer.h"

#include <ostream>
#include <string>
#include <vector>

// One array of one volume and isovalues that cut it.
struct RealVolume
{
  std::string file;
  std::string array; // empty: the only one
  std::vector<double> isovalues;
  bool hasDirection = false; // the file has a direction matrix of its own
};
void PrintTo(const RealVolume& volume, std::ostream* os);
// The beginning of the file's name, and the array: for names of tests.
std::string NameOf(const RealVolume& volume);

const std::vector<RealVolume>& RealVolumes();

// The blocks of an adaptive mesh, each as a volume of its own; empty without the folder amr of VMC_VOLUME_FILES.
std::vector<RealVolume> AmrBlocks();

// The volume with its scalars as active cell data (a file of point data: its points become the cells), or null and why.
// Looks for NAME_XxYxZ_TYPE.raw in the folder that the environment variable VMC_VOLUMES names, and for .vti and .vtk in
// the folder of VMC_VOLUME_FILES.
vtkSmartPointer<vtkImageData> LoadRealVolume(const RealVolume& volume, std::string& whyNot);

#endif
