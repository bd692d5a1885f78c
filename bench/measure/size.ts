import { withMaximum, type Figure } from "../figure.ts";
import type { BenchEnvironment } from "../environment.ts";

const MAX_KB = 400;

/** Measures the upload size of a deployment, in units of 1,000 bytes. */
export function measureSize({ built }: BenchEnvironment): Promise<Figure[]> {
  const figure = {
    name: "the Worker, gzipped",
    unit: "KB",
    orrery: built.orrery.gzipBytes / 1000,
    bare: built.bare.gzipBytes / 1000,
  };
  return Promise.resolve([withMaximum(MAX_KB, figure, `< ${MAX_KB}`)]);
}
