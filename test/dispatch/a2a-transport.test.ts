import { expect, test } from "vitest";
import { createTransport } from "../../src/dispatch/a2a-transport.ts";
import { getCpuMs } from "../support/cpu-time.ts";

const buildTaskUrl = (url: string) =>
  createTransport({ url, protocolBinding: "HTTP+JSON", tenant: "", protocolVersion: "1.0" }).buildRequest(
    { name: "GetTask", id: "t" },
    "application/json",
  ).url;

test.each([
  ["https://a.dev", "https://a.dev/tasks/t?historyLength=0"],
  ["https://a.dev/a2a///", "https://a.dev/a2a/tasks/t?historyLength=0"],
  ["https://a.dev/a2a?key=1", "https://a.dev/a2a/tasks/t?key=1&historyLength=0"],
])("buildRequest() for %s requests the task at %s", (url, tasks) => {
  expect(buildTaskUrl(url)).toBe(tasks);
});

test("buildRequest() handles a URL with many slashes quickly", () => {
  const start = getCpuMs();
  buildTaskUrl(`https://a.dev/a${"/".repeat(200_000)}a`);
  expect(getCpuMs() - start).toBeLessThan(700);
});
