// What the filter does when the device fails: at the first submission of an extraction unless a test says otherwise.
#include "FilterTest.h"

#include "Compute/Devices.h"
#include "Compute/Vulkan/Device.h"

#include "vtkCallbackCommand.h"
#include "vtkExecutive.h"
#include "vtkStringArray.h"

#include <memory>
#include <string>

namespace
{

class FilterFailures : public FilterTest
{
protected:
  void SetUp() override
  {
    FilterTest::SetUp();
    vtkNew<vtkCallbackCommand> observer;
    observer->SetCallback([](vtkObject* filter, unsigned long, void* self, void*)
      { static_cast<FilterFailures*>(self)->failAt(static_cast<vtkAlgorithm*>(filter)->GetProgress()); });
    observer->SetClientData(this);
    this->Filter->AddObserver(vtkCommand::ProgressEvent, observer);
  }

  // Runs again. The next submission of so many devices, one after another, fails once this part is done.
  int runWhere(vk::Result result, int devices, double done = 0)
  {
    this->Failure = result;
    this->DevicesToFail = devices;
    this->DoneBefore = done;
    this->Failed.reset();
    this->Filter->Modified();
    return this->Filter->GetExecutive()->Update();
  }

  void expectBytes(const std::string& bytes) { EXPECT_TRUE(BytesOf(this->Filter->GetOutput()) == bytes); }

  const vtkSmartPointer<vtkImageData> Image = CellImage({ 24, 24, 24 }, VTK_FLOAT, Ball());

private:
  void failAt(double done)
  {
    const auto device = vmc::sharedDevice();
    if (this->DevicesToFail == 0 || device == this->Failed || done < this->DoneBefore)
      return;
    device->failNextSubmission(this->Failure);
    this->Failed = device;
    --this->DevicesToFail;
  }

  vk::Result Failure = vk::Result::eSuccess;
  int DevicesToFail = 0;
  double DoneBefore = 0;
  std::shared_ptr<vmc::Device> Failed; // kept, so that the next device has another address
};

constexpr vk::Result Lost = vk::Result::eErrorDeviceLost;
constexpr vk::Result Exhausted = vk::Result::eErrorOutOfDeviceMemory;

}

TEST_F(FilterFailures, ADeviceLostOnceIsOpenedAnewAndGivesTheSameBytes)
{
  this->Filter->SetValue(1, 40);
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  for (const double done : { 0.0, 0.5 }) // before the first isovalue, and the second
  {
    SCOPED_TRACE(done);
    const auto device = vmc::sharedDevice();
    EXPECT_EQ(this->runWhere(Lost, 1, done), 1);
    EXPECT_NE(vmc::sharedDevice(), device);
    this->expectBytes(bytes);
    EXPECT_GT(this->Filter->GetUploadTime(), 0); // nothing of the lost device is used
    EXPECT_EQ(this->Filter->GetUsedDevice(), std::string(this->Filter->GetDeviceNames()->GetValue(0)));
  }
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterFailures, ADeviceLostTwiceGivesTheSurfaceOfTheCpuWithOneWarning)
{
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  vtkNew<vtkPolyData> onDevice;
  onDevice->DeepCopy(this->run(this->Image, 50));
  EXPECT_EQ(this->runWhere(Lost, 2), 1);
  ExpectSameCounts(this->Filter->GetOutput(), onDevice);
  EXPECT_EQ(std::string(this->Filter->GetUsedDevice()).find("CPU: vtkFlyingEdges3D ("), 0u);
  EXPECT_EQ(this->warnings().size(), 1u);
  EXPECT_EQ(this->runWhere(Lost, 0), 1);
  this->expectBytes(BytesOf(onDevice));
  EXPECT_EQ(this->warnings().size(), 1u);
  EXPECT_TRUE(this->errors().empty());
}

TEST_F(FilterFailures, ADeviceLostTwiceIsAnErrorWhereFallbackSaysSo)
{
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  EXPECT_EQ(this->runWhere(Lost, 2), 0);
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  ASSERT_EQ(this->errors().size(), 1u);
  EXPECT_NE(this->errors()[0].find(this->Filter->GetDeviceNames()->GetValue(0) + " failed"), std::string::npos);
  EXPECT_EQ(this->runWhere(Lost, 0), 1);
  this->expectBytes(bytes);
  EXPECT_EQ(this->errors().size(), 1u);
}

TEST_F(FilterFailures, AnotherFilterOfALostDeviceTakesTheNewOne)
{
  vtkNew<vtkVulkanMarchingCubes> other;
  other->SetInputData(this->Image);
  other->SetValue(0, 50);
  other->Update();
  const std::string bytes = BytesOf(other->GetOutput());
  this->run(this->Image, 50);
  EXPECT_EQ(this->runWhere(Lost, 1), 1);
  other->Modified();
  other->Update();
  EXPECT_TRUE(BytesOf(other->GetOutput()) == bytes);
  EXPECT_GT(other->GetUploadTime(), 0);
}

TEST_F(FilterFailures, MemoryExhaustedOnceGivesTheSameBytesInParts)
{
  this->Filter->SetValue(1, 40);
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  for (const double done : { 0.0, 0.5 })
  {
    SCOPED_TRACE(done);
    EXPECT_EQ(this->runWhere(Exhausted, 1, done), 1);
    this->expectBytes(bytes);
  }
  EXPECT_TRUE(this->errors().empty());
  EXPECT_TRUE(this->warnings().empty());
}

TEST_F(FilterFailures, AnUnforeseenFailureIsAnErrorAlsoWhereTheCpuCould)
{
  this->Filter->SetFallback(vtkVulkanMarchingCubes::FALLBACK_CPU);
  const std::string bytes = BytesOf(this->run(this->Image, 50));
  EXPECT_EQ(this->runWhere(vk::Result::eErrorUnknown, 1), 0);
  EXPECT_EQ(this->Filter->GetOutput()->GetNumberOfPoints(), 0);
  EXPECT_EQ(this->errors().size(), 1u);
  EXPECT_TRUE(this->warnings().empty());
  EXPECT_EQ(this->runWhere(Lost, 0), 1);
  this->expectBytes(bytes);
}
