// Numbers of workgroups and invocations in dispatches that fold more workgroups than one axis allows into a second axis.
// Include after the kernel has declared its workgroup size: until then gl_WorkGroupSize is 1 and no error is reported.

uint groupIndex() { return gl_WorkGroupID.x + gl_NumWorkGroups.x * gl_WorkGroupID.y; }
uint invocationIndex() { return groupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
