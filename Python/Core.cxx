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
  const py::gil_scoped_release others;
  return vmc::Engine::deviceNames();
}

// Throws ImportError if numpy has another layout than pybind11 knows, which changed in numpy 2 and pybind11 2.12.
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
  module.attr("LARGEST_BINS") = vmc::Bins::Largest;
  module.def("devices", &devices);
  py::class_<RegionChoice>(module, "Keep")
    .def(py::init(
      [](int keep, std::size_t count, double least, const vmc::Vector3& point) {
        return RegionChoice{ static_cast<RegionChoice::Keep>(keep), count, least, point };
      }));
  py::class_<SurfaceOptions>(module, "Options")
    .def(py::init(
      [](std::vector<double> levels, bool normals, bool wideIds, bool rightHanded, bool regions, unsigned threads,
        const RegionChoice& choice) {
        return SurfaceOptions{ std::move(levels), normals, wideIds, rightHanded, regions, threads, choice };
      }));
  py::class_<NumpyVolume>(module, "Volume")
    .def(py::init<py::array, const vmc::Vector3&, const vmc::Vector3&, const py::object&, bool, const std::string&>(),
      py::arg("array"), py::arg("spacing"), py::arg("origin"), py::arg("mask"), py::arg("closed"), py::arg("device"))
    .def("surface", &NumpyVolume::surface)
    .def("measure", &NumpyVolume::measure)
    .def("histogram", &NumpyVolume::histogram)
    .def("suggest", &NumpyVolume::suggest)
    .def("cast", &NumpyVolume::cast)
    .def("range", &NumpyVolume::range)
    .def_property_readonly("device", &NumpyVolume::device);
}
