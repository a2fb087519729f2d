// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The number of threads of the CPU engine, and of what the filters do with its results.
#ifndef vmcThreadsOfVtk_h
#define vmcThreadsOfVtk_h

#include "Compute/Contour/Request.h"

namespace vmc::filters
{

// The number of threads that the user gives to VTK: that of vtkSMPTools. If vtkSMPTools is built without threads, that
// of the environment variable VTK_SMP_MAX_THREADS, or else this MPI rank's part of the processors of the machine, if a
// launcher has started several ranks on it. 0: not limited.
unsigned threadsOfVtk();

// The number of threads that write the arrays of the output of this request: vmc::copyThreads(), at most
// request.threads unless it is 0.
unsigned copyThreadsOf(const vmc::Request& request);

}

#endif
