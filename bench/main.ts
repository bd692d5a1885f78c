// npm run bench [-- --quick] [--only name,name] [--profile]
//
// Compares the runtime with a Durable Object that is written by hand for the same job, in one run on one machine.
// A missed target is reported but does not fail the run.

import { arch, cpus, platform } from "node:os";
import { parseArgs } from "node:util";
import { runBench, MEASUREMENT_NAMES, formatPercent, type MeasurementName } from "./bench.ts";
import { CORES } from "./processes.ts";
import { profileRuntime } from "./profile.ts";
import { formatTable } from "./table.ts";

const log = (line: string) => process.stderr.write(`${line}\n`);

try {
  await main();
} catch (thrown) {
  log(thrown instanceof Error ? thrown.message : String(thrown));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      only: { type: "string" },
      profile: { type: "boolean", default: false },
    },
  });
  if (values.profile) {
    console.log(await profileRuntime({ isQuick: values.quick }));
    return;
  }
  const { figures, isPinned, maxOtherLoad } = await runBench({
    isQuick: values.quick,
    measurements: parseMeasurements(values.only),
    log,
  });
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, ${platform()} ${arch()}`;
  console.log(`${new Date().toISOString()}, ${machine}, Node ${process.versions.node}.`);
  if (isPinned)
    console.log(
      `The servers ran on core ${CORES.server}; other programs used up to ${formatPercent(maxOtherLoad)} of it during a measurement.`,
    );
  else console.log("The servers, the clients and the model shared all cores.");
  if (values.quick) console.log("Quick run: the figures are based on very few turns.");
  console.log(`\n${formatTable(figures)}\n`);
  const targets = figures.flatMap(({ target }) => target ?? []);
  console.log(`${targets.filter(({ isMet }) => isMet).length} of ${targets.length} targets met.`);
}

function parseMeasurements(only: string | undefined): readonly MeasurementName[] {
  if (only === undefined) return MEASUREMENT_NAMES;
  return only.split(",").map((requested) => {
    const name = MEASUREMENT_NAMES.find((candidate) => candidate === requested.trim());
    if (name === undefined)
      throw new Error(`Unknown measurement: ${requested}. Available: ${MEASUREMENT_NAMES.join(", ")}.`);
    return name;
  });
}
