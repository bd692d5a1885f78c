// npm run bench [-- --quick] [--only name,name] [--profile]
//
// The runtime beside a Durable Object that is written by hand for the same job, in one run on one machine.
// An aim that is missed is told; it does not fail the run.

import { arch, cpus, platform } from "node:os";
import { parseArgs } from "node:util";
import { bench, MEASUREMENT_NAMES, percent, type MeasurementName } from "./bench.ts";
import { CORES } from "./processes.ts";
import { profile } from "./profile.ts";
import { tableOf } from "./table.ts";

const say = (line: string) => process.stderr.write(`${line}\n`);

try {
  await main();
} catch (thrown) {
  say(thrown instanceof Error ? thrown.message : String(thrown));
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
    console.log(await profile({ isQuick: values.quick }));
    return;
  }
  const { figures, isPinned, disturbance } = await bench({ isQuick: values.quick, only: chosen(values.only), say });
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, ${platform()} ${arch()}`;
  console.log(`${new Date().toISOString()}, ${machine}, Node ${process.versions.node}.`);
  if (isPinned)
    console.log(
      `Servers had core ${CORES.server}, of which other programs took up to ${percent(disturbance)} in one measurement.`,
    );
  else console.log("Servers, clients and model shared all cores.");
  if (values.quick) console.log("A quick run: the figures come from very few turns.");
  console.log(`\n${tableOf(figures)}\n`);
  const aims = figures.flatMap(({ aim }) => aim ?? []);
  console.log(`${aims.filter(({ isMet }) => isMet).length} of ${aims.length} aims met.`);
}

function chosen(only: string | undefined): readonly MeasurementName[] {
  if (only === undefined) return MEASUREMENT_NAMES;
  return only.split(",").map((wanted) => {
    const name = MEASUREMENT_NAMES.find((known) => known === wanted.trim());
    if (name === undefined)
      throw new Error(`There is no measurement ${wanted}. There are: ${MEASUREMENT_NAMES.join(", ")}.`);
    return name;
  });
}
