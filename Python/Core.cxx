// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The Python module vulkanmarchingcubes._core: volumes of numpy arrays. It knows the core alone, no VTK. The functions
// that users call are those of the package, in Python.
#include "NumpyVolume.h"

#include "Compute/Engine.h"
#include "Compute/System/Error.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <string>
#include <utility>

namespace py = pybind11;

namespace
{

// Raises the Python exception of an error of the core.
void translate(std::exception_ptr failure)
{
  using Kind = vmc::Error::Kind;
  try
  {
    if (failure)
      std::rethrow_exception(std::move(failure));
  }
  catch (const vmc::python::Stopped&) // Python has the exception
  {
  }
  catch (const vmc::Error& error)
  {
    const Kind kind = error.kind();
    const bool isMemory = kind == Kind::OutOfMemory || kind == Kind::OutOfHostMemory;
    const bool isValue = kind == Kind::Unsupported || kind == Kind::NoSuchDevice;
    PyErr_SetString(isMemory ? PyExc_MemoryError : isValue ? PyExc_ValueError : PyExc_RuntimeError, error.what());
  }
}

std::vector<std::string> devices()
{
  const vmc::python::RunningCall running;
  const py::gil_scoped_release others;
  return vmc::Engine::deviceNames();
}

// Throws ImportError for numpy 2 if pybind11 knows the layout of numpy 1 alone, as it does before version 2.12.
void checkNumpy()
{
  const auto version = py::module_::import("numpy").attr("__version__").cast<std::string>();
  if (PYBIND11_VERSION_HEX < 0x020C0000 && version.compare(0, 2, "1.") != 0)
    throw py::import_error("vulkanmarchingcubes was compiled with a pybind11 for numpy 1, but numpy " + version +
                           " is installed. Compile it with pybind11 2.12 or later.");
}

}

PYBIND11_MODULE(_core, module)
{
  checkNumpy();
  using vmc::RegionChoice;
  using vmc::python::NumpyVolume;
  using vmc::python::RegionRow;
  using vmc::python::SurfaceOptions;
  py::register_local_exception_translator(&translate);
  PYBIND11_NUMPY_DTYPE_EX(RegionRow, level, "level", faces, "faces", openEdges, "open_edges", area, "area", volume,
    "volume", centroid, "centroid", low, "low", high, "high");
  module.attr("BLANK") = static_cast<int>(vmc::Ghost::Blank);
  module.attr("LARGEST_BINS") = vmc::Bins::Largest;
  py::module_::import("atexit").attr("register")(py::cpp_function(&vmc::python::RunningCall::waitForAll));
  module.def("devices", &devices);
  py::enum_<RegionChoice::Keep>(module, "Keep") // in the words of users
    .value("all", RegionChoice::Keep::All)
    .value("largest", RegionChoice::Keep::Largest)
    .value("triangles", RegionChoice::Keep::LeastTriangles)
    .value("area", RegionChoice::Keep::LeastArea)
    .value("volume", RegionChoice::Keep::LeastVolume)
    .value("touching border", RegionChoice::Keep::TouchingBorder)
    .value("not touching border", RegionChoice::Keep::NotTouchingBorder)
    .value("nearest", RegionChoice::Keep::Nearest);
  py::class_<RegionChoice>(module, "Choice").def(py::init<RegionChoice::Keep, std::size_t, double, vmc::Vector3>());
  py::class_<SurfaceOptions>(module, "Options")
    .def(py::init(
      [](std::vector<double> levels, bool normals, bool wideIds, bool rightHanded, bool regions, unsigned threads,
        const RegionChoice& choice) {
        return SurfaceOptions{ std::move(levels), normals, wideIds, rightHanded, regions, threads, choice };
      }));
  py::class_<NumpyVolume>(module, "Volume")
    .def(py::init<py::array, py::object, const vmc::Vector3&, const std::array<vmc::Vector3, 3>&, bool,
      const std::string&>())
    .def("surface", &NumpyVolume::surface)
    .def("measure", &NumpyVolume::measure)
    .def("histogram", &NumpyVolume::histogram)
    .def("suggest", &NumpyVolume::suggest)
    .def("cast", &NumpyVolume::cast)
    .def("range", &NumpyVolume::range)
    .def_property_readonly("device", &NumpyVolume::device);
}
