import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { mkdirSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { defineConfig } from "vitest/config";
import { precompileMessages } from "./scripts/precompile-messages.ts";
import { fetchEmbedded } from "./src/embedded/embedded-fetch.ts";
import { UNSET } from "./test/support/unset-settings.ts";

// The Worker's configuration names this folder, so it has to be there even when nothing was built.
mkdirSync("dist/web", { recursive: true });

// What runs inside the Workers runtime. Below test/http and test/sandbox, `plain` holds what needs none.
const IN_RUNTIME = "test/{directory,durable,http,http/protocols,http/rpc,sandbox}/*.test.ts";
const WHOLE_SYSTEM = "test/{contracts,e2e,golden/served,web/browser}/**/*.test.ts";

/** Many tests wait for timers and connections: more processes than cores keep the cores busy. */
const WORKERS = availableParallelism() + 1;
/** A process of end-to-end tests with its runtimes and browser. Six of them took 12.5 GB at most. */
const END_TO_END_BYTES = 2.1e9;
/** End-to-end tests wait for most of their time. */
const END_TO_END_WORKERS = Math.max(2, Math.min(3 * availableParallelism(), Math.floor(totalmem() / END_TO_END_BYTES)));

/** `npm run test:long` sets it. Tests read it through `test/support/run-length.ts`. */
const isLongRun = process.env["TEST_LENGTH"] === "long";
const provide = { isLongRun };
const limitTime = (shortMs: number) => (isLongRun ? 3_600_000 : shortMs);

/** Miniflare passes requests of another class than the global one. */
async function answerEmbedded(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  return fetchEmbedded(url, { method, headers: Object.fromEntries(headers), body: await request.text() });
}

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [precompileMessages()],
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: [IN_RUNTIME, WHOLE_SYSTEM],
          // Loading the same modules again for each file would take as long as many of the tests.
          isolate: false,
          provide,
          testTimeout: limitTime(20_000),
          maxWorkers: WORKERS,
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            // A test that reaches for the outside world fails instead of depending on it.
            miniflare: {
              bindings: {
                ...UNSET,
                TEST_MIGRATIONS: await readD1Migrations("migrations"),
                MAX_MESSAGES_PER_MINUTE: "1000000",
                SEALING_KEY: "the sealing key of all tests",
              },
              // The embedded model answers in the process of the runner.
              serviceBindings: { EMBEDDED_MODEL: answerEmbedded },
              outboundService: () => new Response("No network in tests", { status: 502 }),
            },
          }),
        ],
        test: {
          name: "workers",
          include: [IN_RUNTIME],
          setupFiles: ["test/durable/setup.ts"],
          // Starting the runtime and loading the Worker for each file would take longer than all of their tests.
          isolate: false,
          provide,
          testTimeout: limitTime(20_000),
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "e2e",
          include: [WHOLE_SYSTEM],
          globalSetup: ["test/support/end-to-end-setup.ts"],
          provide,
          testTimeout: limitTime(60_000),
          hookTimeout: 60_000,
          // The files of a process share their runtimes. Most of them wait more than they work.
          isolate: false,
          maxWorkers: END_TO_END_WORKERS,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
