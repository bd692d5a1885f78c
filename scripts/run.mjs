// Runs a TypeScript program of this project with the Node that the project brings along, after installing
// what is missing. Works on plain Node 20 with nothing installed.
//
//   node scripts/run.mjs <program.ts> [arguments…]

import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { prepare } from "./prepare.mjs";

const CACHE = fileURLToPath(new URL("../node_modules/.cache/node", import.meta.url));

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error("Usage: node scripts/run.mjs <program.ts> [arguments…]");
  process.exit(2);
}

let node;
try {
  node = await prepare();
} catch (thrown) {
  console.error(thrown instanceof Error ? thrown.message : thrown);
  process.exit(1);
}

const child = spawn(node, ["--disable-warning=ExperimentalWarning", program, ...args], {
  stdio: "inherit",
  // What Node has compiled once it keeps: tools that are started again and again start in three quarters of the time.
  env: { NODE_COMPILE_CACHE: CACHE, ...process.env, ORRERY_PARENT: String(process.pid) },
});

// A terminal sends its Ctrl-C to the child as well; whoever signals this process alone does not.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
  });
}
// npm runs this through a shell, which dies of a signal without passing it on: losing it means that npm was told to stop.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  setInterval(() => process.ppid === parent || child.kill("SIGTERM"), 500).unref();
}
child.on("error", (error) => {
  console.error(`Cannot run ${node}: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => process.exit(signal === null ? (code ?? 1) : 1));
