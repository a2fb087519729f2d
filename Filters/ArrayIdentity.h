// Numbers that stand for the contents of arrays, so that equal contents are known again.
#ifndef ArrayIdentity_h
#define ArrayIdentity_h

#include <cstdint>
#include <initializer_list>

class vtkDataArray;

// A number other than 0 for the values of the array: equal numbers stand for equal values. It is made from the address,
// the length, the type and the modification time of the array, and from a fingerprint of its values: arrays of at most
// 128 KiB are read whole, of larger ones 512 pieces of 64 bytes that are spread over the array. So a change without
// Modified() is not seen where it lies between these pieces. Costs some 50 microseconds.
std::uint64_t identityOf(vtkDataArray* array);

// A number other than 0 for what follows from these numbers, in this order. Two different lists of one length have
// different numbers, but for a chance of 2^-64.
std::uint64_t identityOf(std::initializer_list<std::uint64_t> parts);

#endif
