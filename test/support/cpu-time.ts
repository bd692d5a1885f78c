/** What this thread has worked so far, in milliseconds: what else the machine has to do does not count. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
