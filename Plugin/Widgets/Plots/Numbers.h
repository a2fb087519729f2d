// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Numbers as the plots show them, with a decimal point, as ParaView does in every locale.
#ifndef vmcPlotsNumbers_h
#define vmcPlotsNumbers_h

#include <QString>

namespace vmc::plots
{

// The value in as many digits as distinguish it from values that are `resolution` apart; 0: in at most six digits.
QString textOf(double value, double resolution = 0);

// A count without decimals, in groups of three digits: "1,250".
QString textOfCount(double count);

// Time in as many digits as are of interest: "0.31 ms", "12.4 ms", "1,250 ms".
QString textOfMilliseconds(double milliseconds);

}

#endif
