// File names of uploads, and file names of downloads.

import { expect, test } from "vitest";
import { MAX_DATASET_NAME } from "../../src/protocol/datasets/dataset.ts";
import { callRoute, call, ORIGIN } from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const DATASETS = "/api/v1/datasets";
type NamedDataset = { readonly dataset_id: string; readonly name: string };

test("a truncated file name contains no half character, and its dataset can be downloaded", async () => {
  const ada = await authenticateAs("file-names");
  const form = new FormData();
  form.set("file", new File(["a,b\n1,2\n"], `${"x".repeat(MAX_DATASET_NAME - 1)}😀.csv`, { type: "text/csv" }));
  const request = new Request(ORIGIN, { method: "POST", body: form });
  const type = request.headers.get("content-type") ?? "";
  const headers = { ...ada.headers, "content-type": type };
  const created = await callRoute<NamedDataset>("POST", DATASETS, { ...ada, headers, body: await request.text() });
  expect(created.name.isWellFormed()).toBe(true);
  expect(created.name.length).toBeLessThanOrEqual(MAX_DATASET_NAME);
  expect((await call("GET", `${DATASETS}/${created.dataset_id}.csv`, ada)).status).toBe(200);
});

test("a lone surrogate in a dataset name does not prevent its download", async () => {
  const ada = await authenticateAs("file-names-2");
  const headers = { ...ada.headers, "content-type": "text/csv" };
  const created = await callRoute<NamedDataset>("POST", `${DATASETS}?name=scores`, {
    ...ada,
    headers,
    body: "a,b\n1,2\n",
  });
  await callRoute("PATCH", `${DATASETS}/${created.dataset_id}`, { ...ada, body: '{"name":"sco\\ud800res"}' });
  const file = await call("GET", `${DATASETS}/${created.dataset_id}.csv`, ada);
  expect(file.status).toBe(200);
  expect(file.headers.get("content-disposition")).toContain("filename*=UTF-8''sco%EF%BF%BDres.csv");
  expect(await file.text()).toContain("1,2");
});
