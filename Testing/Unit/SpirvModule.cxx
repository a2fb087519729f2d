// SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
// SPDX-License-Identifier: BSD-3-Clause
#include "SpirvModule.h"

#include <algorithm>
#include <stdexcept>

namespace vmc::test
{

namespace
{

// SPIR-V specification 2.3 and 3.
constexpr std::uint32_t HeaderWords = 5;
enum Opcode : std::uint32_t
{
  OpExtension = 10,
  OpExtInstImport = 11,
  OpMemoryModel = 14,
  OpExecutionMode = 16,
  OpCapability = 17,
  OpTypeBool = 20,
  OpTypeInt = 21,
  OpTypeFloat = 22,
  OpTypeVector = 23,
  OpTypeArray = 28,
  OpTypeStruct = 30,
  OpTypePointer = 32,
  OpConstantTrue = 41,
  OpConstantFalse = 42,
  OpConstant = 43,
  OpSpecConstantTrue = 48,
  OpSpecConstantFalse = 49,
  OpSpecConstant = 50,
  OpSpecConstantOp = 52,
  OpVariable = 59,
  OpDecorate = 71,
  OpMemberDecorate = 72,
  OpIAdd = 128,
  OpISub = 130,
  OpIMul = 132,
  OpSelect = 169,
  OpIEqual = 170
};
constexpr std::uint32_t LocalSize = 17, SpecId = 1, Offset = 35, PushConstant = 9, Workgroup = 4;

bool isConstant(std::uint32_t code)
{
  return (code >= OpConstantTrue && code <= OpConstant) || (code >= OpSpecConstantTrue && code <= OpSpecConstant) ||
         code == OpSpecConstantOp;
}

bool isType(std::uint32_t code)
{
  return code >= OpTypeBool && code <= OpTypePointer;
}

std::string textOf(const std::uint32_t* words)
{
  return reinterpret_cast<const char*>(words);
}

[[noreturn]] void refuse(const std::string& what, std::uint32_t code)
{
  throw std::runtime_error("SpirvModule knows no " + what + " with opcode " + std::to_string(code) + ".");
}

}

SpirvModule::SpirvModule(const kernels::Words& spirv)
  : Version(spirv.data[1])
{
  for (std::size_t at = HeaderWords; at < spirv.count; at += spirv.data[at] >> 16)
    this->read(spirv.data[at] & 0xFFFFu, spirv.data + at + 1, (spirv.data[at] >> 16) - 1);
}

void SpirvModule::read(std::uint32_t code, const std::uint32_t* operands, std::uint32_t count)
{
  if (code == OpCapability)
    this->Capabilities.insert(operands[0]);
  else if (code == OpExtension)
    this->Extensions.insert(textOf(operands));
  else if (code == OpExtInstImport)
    this->Extensions.insert(textOf(operands + 1));
  else if (code == OpMemoryModel)
    this->MemoryModel = { operands[0], operands[1] };
  else if (code == OpExecutionMode)
  {
    this->ExecutionModes.insert(operands[1]);
    if (operands[1] == LocalSize)
      std::copy_n(operands + 2, 3, this->WorkgroupSize.begin());
  }
  else if (code == OpVariable)
  {
    const Id type = this->Declarations.at(operands[0]).at(3); // that the pointer points to
    this->StorageClasses.insert(operands[2]);
    if (operands[2] == Workgroup)
      this->SharedTypes.push_back(type);
    if (operands[2] == PushConstant)
      this->PushConstantTypes.push_back(type);
    this->InitializesSharedMemory = this->InitializesSharedMemory || (operands[2] == Workgroup && count > 3);
  }
  else if (code == OpDecorate && operands[1] == SpecId)
    this->SpecializationOf[operands[0]] = operands[2];
  else if (code == OpMemberDecorate && operands[2] == Offset)
    this->OffsetOf[operands[0]][operands[1]] = operands[3];
  else if (isType(code) || isConstant(code))
  {
    Instruction& declaration = this->Declarations[operands[isConstant(code) ? 1 : 0]];
    declaration.push_back(code);
    declaration.insert(declaration.end(), operands, operands + count);
  }
}

std::set<std::uint32_t> SpirvModule::specializations() const
{
  std::set<std::uint32_t> numbers;
  for (const auto& [constant, number] : this->SpecializationOf)
    numbers.insert(number);
  return numbers;
}

// A declaration of a constant is: opcode, type, result, then the value, or the operation and its operands.
std::uint32_t SpirvModule::valueOf(Id constant, const Specialization& specialization) const
{
  const auto number = this->SpecializationOf.find(constant);
  if (number != this->SpecializationOf.end())
    if (const auto value = specialization.find(number->second); value != specialization.end())
      return value->second;
  const Instruction& declaration = this->Declarations.at(constant);
  switch (declaration[0])
  {
    case OpConstantTrue:
    case OpSpecConstantTrue:
      return 1;
    case OpConstantFalse:
    case OpSpecConstantFalse:
      return 0;
    case OpConstant:
    case OpSpecConstant:
      return declaration.at(3);
    case OpSpecConstantOp:
      return this->resultOf(declaration, specialization);
    default:
      refuse("constant", declaration[0]);
  }
}

std::uint32_t SpirvModule::resultOf(const Instruction& operation, const Specialization& specialization) const
{
  const auto operand = [&](std::size_t i) { return this->valueOf(operation.at(4 + i), specialization); };
  switch (operation.at(3))
  {
    case OpIAdd:
      return operand(0) + operand(1);
    case OpISub:
      return operand(0) - operand(1);
    case OpIMul:
      return operand(0) * operand(1);
    case OpSelect:
      return operand(0) != 0 ? operand(1) : operand(2);
    case OpIEqual:
      return operand(0) == operand(1) ? 1 : 0;
    default:
      refuse("operation of constants", operation.at(3));
  }
}

// A declaration of a type is: opcode, result, then its parts.
std::uint64_t SpirvModule::bytesOf(Id type, const Specialization& specialization) const
{
  const Instruction& declaration = this->Declarations.at(type);
  switch (declaration[0])
  {
    case OpTypeBool: // counts as an integer of 32 bits
      return 4;
    case OpTypeInt:
    case OpTypeFloat:
      return declaration.at(2) / 8;
    case OpTypeVector: // three components take the place of four
      return (declaration.at(3) == 3 ? 4 : declaration.at(3)) * this->bytesOf(declaration.at(2), specialization);
    case OpTypeArray:
      return this->valueOf(declaration.at(3), specialization) * this->bytesOf(declaration.at(2), specialization);
    case OpTypeStruct: // up to the end of its last member
    {
      std::uint64_t end = 0;
      for (const auto& [member, offset] : this->OffsetOf.at(type))
        end = std::max(end, offset + this->bytesOf(declaration.at(2 + member), specialization));
      return end;
    }
    default:
      refuse("type", declaration[0]);
  }
}

std::uint64_t SpirvModule::sharedBytes(const Specialization& specialization) const
{
  std::uint64_t bytes = 0;
  for (const Id type : this->SharedTypes)
    bytes += this->bytesOf(type, specialization);
  return bytes;
}

std::uint64_t SpirvModule::pushConstantBytes() const
{
  std::uint64_t bytes = 0;
  for (const Id block : this->PushConstantTypes)
    bytes += this->bytesOf(block, {});
  return bytes;
}

}
