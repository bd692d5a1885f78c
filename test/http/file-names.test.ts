// Names that people give to files, and that files are given for people.

import { expect, test } from "vitest";
import { MAX_DATASET_NAME } from "../../src/protocol/datasets/dataset.ts";
import { ask, call, ORIGIN } from "./support.ts";
import { as } from "./tokens.ts";

const DATASETS = "/api/v1/datasets";
type Named = { readonly dataset_id: string; readonly name: string };

test("of a file's name that is cut no half of a character is left, and its table can be had as a file again", async () => {
  const ada = await as("file-names");
  const form = new FormData();
  form.set("file", new File(["a,b\n1,2\n"], `${"x".repeat(MAX_DATASET_NAME - 1)}😀.csv`, { type: "text/csv" }));
  const request = new Request(ORIGIN, { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";
  const headers = { ...ada.headers, "content-type": type };
  const made = await ask<Named>("POST", DATASETS, { ...ada, headers, body: await request.text() });
  expect(made.name.isWellFormed()).toBe(true);
  expect(made.name.length).toBeLessThanOrEqual(MAX_DATASET_NAME);
  expect((await call("GET", `${DATASETS}/${made.dataset_id}.csv`, ada)).status).toBe(200);
});

test("half a character in a name keeps nobody from their table", async () => {
  const ada = await as("file-names-2");
  const headers = { ...ada.headers, "content-type": "text/csv" };
  const made = await ask<Named>("POST", `${DATASETS}?name=scores`, { ...ada, headers, body: "a,b\n1,2\n" });
  await ask("PATCH", `${DATASETS}/${made.dataset_id}`, { ...ada, body: '{"name":"sco\\ud800res"}' });
  const file = await call("GET", `${DATASETS}/${made.dataset_id}.csv`, ada);
  expect(file.status).toBe(200);
  expect(file.headers.get("content-disposition")).toContain("filename*=UTF-8''sco%EF%BF%BDres.csv");
  expect(await file.text()).toContain("1,2");
});
