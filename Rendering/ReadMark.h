// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Marks in the commands of OpenGL.
#ifndef vmcReadMark_h
#define vmcReadMark_h

#include "OpenGlLoader.h"

#include <utility>

namespace vmc::rendering
{

// The end of the commands that read buffers of another API. All functions need the context of these commands.
class ReadMark
{
public:
  ReadMark() = default;
  ReadMark(const ReadMark&) = delete;
  ReadMark& operator=(const ReadMark&) = delete;

  // Moves the mark behind all commands so far.
  void set()
  {
    if (this->Fence)
      glDeleteSync(this->Fence);
    this->Fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
  }

  // Waits for the commands before the mark, and removes it. Takes less time than glFinish if they have ended.
  void wait()
  {
    GLsync const fence = std::exchange(this->Fence, nullptr);
    if (!fence)
      return;
    if (glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 0) != GL_ALREADY_SIGNALED)
      glFinish();
    glDeleteSync(fence);
  }

private:
  GLsync Fence = nullptr; // null: no command reads the buffers
};

}

#endif
