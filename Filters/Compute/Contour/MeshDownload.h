// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Downloads a mesh from the device to the host.
#ifndef vmcMeshDownload_h
#define vmcMeshDownload_h

#include "Compute/Contour/DeviceMesh.h"
#include "Compute/Contour/MeshBuilder.h"
#include "Compute/Vulkan/CommandRecorder.h"

namespace vmc
{

// Downloads each part and releases its device memory before the next part is made. Adds to the timed stage Download.
class MeshDownload : public MeshSink
{
public:
  // Records into `commands`, which must outlive the object, as must `context`. isTimed: records timestamps.
  MeshDownload(Context& context, CommandRecorder& commands, MeshLayout layout, bool isTimed);

  // Throws OutOfMemory, DeviceLost, Internal.
  void restart() override;
  void add(DeviceMeshPart part, bool isOnly, StageTimes& times) override;
  void endIsovalue() override { this->Builder.endIsovalue(); }

  Mesh finish() { return this->Builder.finish(this->Layout.outputs, this->Layout.mergePoints, this->Layout.wideIds); }

private:
  std::uint64_t bytesOf(const Output& output, const DeviceMeshPart& part) const;
  void record(DeviceMeshPart& part, const Mesh& mesh);
  void makeIds(const DeviceMeshPart& part, Mesh& mesh) const;
  void take(DeviceMeshPart& part, Mesh& mesh) const;

  Context& DeviceContext;
  CommandRecorder& Recorder;
  const MeshLayout Layout;
  const bool IsTimed;
  MeshBuilder Builder;
};

}

#endif
