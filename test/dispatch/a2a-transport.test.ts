import { expect, test } from "vitest";
import { createTransport } from "../../src/dispatch/a2a-transport.ts";
import { cpuMs } from "../support/cpu-time.ts";

const at = (url: string) =>
  createTransport({ url, protocolBinding: "HTTP+JSON", tenant: "", protocolVersion: "1.0" }).buildRequest(
    { name: "GetTask", id: "t" },
    "application/json",
  ).url;

test.each([
  ["https://a.dev", "https://a.dev/tasks/t?historyLength=0"],
  ["https://a.dev/a2a///", "https://a.dev/a2a/tasks/t?historyLength=0"],
  ["https://a.dev/a2a?key=1", "https://a.dev/a2a/tasks/t?key=1&historyLength=0"],
])("the tasks of %s are at %s", (url, tasks) => {
  expect(at(url)).toBe(tasks);
});

test("the address on a card that is nothing but slashes is read at once", () => {
  const start = cpuMs();
  at(`https://a.dev/a${"/".repeat(200_000)}a`);
  expect(cpuMs() - start).toBeLessThan(700);
});
