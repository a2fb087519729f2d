// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Conversion of counts to a vtkTable.
#ifndef vmcHistogramTable_h
#define vmcHistogramTable_h

#include "HistogramSum.h"

#include <string>

class vtkTable;

namespace vmc::filters
{

// The values that are counted.
struct HistogramSubject
{
  std::string array;
  std::string component;
  InputSummary summary;
};

// Fills the table, which is empty, with the columns and field data that vtkVulkanImageHistogram documents. hasBins:
// false makes no rows.
void fillTable(const HistogramSum& sum, const HistogramSubject& subject, bool hasBins, vtkTable* table);

}

#endif
