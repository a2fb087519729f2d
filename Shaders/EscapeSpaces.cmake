# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause

# cmake -DDEPFILE=FILE -DFOLDER=FOLDER -P EscapeSpaces.cmake: glslc writes the names of files to DEPFILE as they are, so
# a name with a space reads as two. Escapes the spaces of FOLDER, which the names of the project's files begin with.
file(READ "${DEPFILE}" rule)
string(REPLACE " " "\\ " escaped "${FOLDER}")
string(REPLACE "${FOLDER}/" "${escaped}/" rule "${rule}")
file(WRITE "${DEPFILE}" "${rule}")
