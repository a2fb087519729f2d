// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// The pipeline's information on the piece of an image that a filter gets.
#ifndef vmcInputPiece_h
#define vmcInputPiece_h

#include <array>
#include <string>

class vtkImageData;
class vtkInformation;

namespace vmc::filters
{

// The extent of the data set to which the image belongs. info: of the input; null: the image is not a piece.
std::array<int, 6> wholeExtentOf(vtkInformation* info, vtkImageData* image);

// The extent that the pipeline assigns to this piece, without ghost layers. Empty (low beyond high) if there is only
// one piece. info: of the input, or null.
std::array<int, 6> pieceExtentOf(vtkInformation* info);

// Returns whether the output is one of several pieces. info: of the input, or null.
bool isPiece(vtkInformation* info);

// Requests so many layers of ghost cells from the input, in addition to those that the output needs, if the output is
// one of several pieces.
void requestGhostLevels(vtkInformation* outInfo, vtkInformation* inInfo, int levels);

// The name in the information of an array to process; empty: the active array.
std::string nameOfChosenArray(vtkInformation* chosen);

}

#endif
