// npm run bench [-- --quick] [--only name,name] [--profile]
//
// The runtime beside a Durable Object that is written by hand for the same job, in one run on one machine.
// An aim that is missed is told; it does not fail the run.

import { arch, cpus, loadavg, platform } from "node:os";
import { parseArgs } from "node:util";
import { bench, MEASUREMENT_NAMES, type MeasurementName } from "./bench.ts";
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
  const [load = 0] = loadavg();
  const { figures, isPinned } = await bench({ isQuick: values.quick, only: chosen(values.only), say });
  console.log(
    `${new Date().toISOString()}, ${cpus().length} × ${cpus()[0]?.model ?? "CPU"}, ${platform()} ${arch()}, Node ${process.versions.node}.`,
  );
  console.log(
    `Load before the run ${load.toFixed(2)}. ${isPinned ? "The server had a core to itself." : "Server, clients and model shared all cores."}`,
  );
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
