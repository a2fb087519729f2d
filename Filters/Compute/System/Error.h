// The one exception type of the compute core.
#ifndef vmcError_h
#define vmcError_h

#include <stdexcept>
#include <string>

namespace vmc
{

// Thrown by everything in vmc. The message is a sentence that names the thing, the value found and the value allowed.
class Error : public std::runtime_error
{
public:
  enum class Kind
  {
    Unsupported, // the request is beyond what the device or this library can do
    NoDevice,    // no Vulkan loader, no driver, or no device that fits
    OutOfMemory, // of the device, or beyond the memory limit
    DeviceLost,  // nothing read back can be trusted; make a new device
    Internal     // a Vulkan call failed in a way that is not foreseen
  };

  // result: the VkResult behind it, 0 if there is none.
  Error(Kind kind, const std::string& message, int result = 0)
    : std::runtime_error(message)
    , ErrorKind(kind)
    , Result(result)
  {
  }

  Kind kind() const { return this->ErrorKind; }
  int result() const { return this->Result; }

private:
  Kind ErrorKind;
  int Result;
};

}

#endif
