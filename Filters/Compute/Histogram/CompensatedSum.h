// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause

// Accurate sums of many numbers.
#ifndef vmcCompensatedSum_h
#define vmcCompensatedSum_h

namespace vmc
{

// A sum of finite numbers whose rounding errors are summed up, too (Neumaier 1974). So the error is about that of one
// rounding, for up to 2^50 numbers of one sign. The order of the numbers may change the last bit.
class CompensatedSum
{
public:
  void add(double number)
  {
    const double sum = this->Sum + number, added = sum - this->Sum;
    this->Errors += (this->Sum - (sum - added)) + (number - added);
    this->Sum = sum;
  }

  void add(const CompensatedSum& others)
  {
    this->add(others.Sum);
    this->add(others.Errors);
  }

  double value() const { return this->Sum + this->Errors; }

private:
  double Sum = 0, Errors = 0;
};

}

#endif
