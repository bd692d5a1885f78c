/** Returns the CPU time that this thread has used so far, in ms. Other load on the machine does not count. */
export function getCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
