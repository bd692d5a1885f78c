import { cloudflareTest, readD1Migrations } from "@cloudflare/vitest-plugin";
import { mkdirSync } from "node:fs";
import { defineConfig } from "vitest/config";

// The Worker's configuration names this folder, so it has to be there even when nothing was built.
mkdirSync("dist/web", { recursive: true });

// What runs inside the Workers runtime. Below test/http and test/sandbox, `plain` holds what needs none.
const IN_RUNTIME = "test/{directory,durable,http,sandbox}/*.test.ts";
const WHOLE_SYSTEM = "test/e2e/**/*.test.ts";

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts"],
          exclude: [IN_RUNTIME, WHOLE_SYSTEM],
          sequence: { groupOrder: 0 },
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            // A test that reaches for the outside world fails instead of depending on it.
            miniflare: {
              bindings: { TEST_MIGRATIONS: await readD1Migrations("migrations") },
              outboundService: () => new Response("No network in tests", { status: 502 }),
            },
          }),
        ],
        test: {
          name: "workers",
          include: [IN_RUNTIME],
          setupFiles: ["test/durable/setup.ts"],
          testTimeout: 20_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "e2e",
          include: [WHOLE_SYSTEM],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
