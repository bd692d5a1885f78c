// Datasets over RPC.

import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { OrreryApi } from "../../../src/http/api/rpc.ts";
import { unwrapResult, type RpcResult } from "../../../src/protocol/wire/rpc-result.ts";
import { assertPresent } from "../support.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const unwrap = async <T>(result: Promise<RpcResult<T>>): Promise<T> => unwrapResult(await result);

const createCsv = (content: string | Uint8Array) => ({ type: "csv" as const, content });

test("a dataset over RPC can be stored, read, queried, renamed and deleted", async () => {
  const created = await unwrap(orrery.createDataset("rpc-40", createCsv("a,b\n1,x\n2,\n"), { name: "t" }));
  const id = created.dataset_id;
  expect(await unwrap(orrery.dataset("rpc-40", id))).toEqual(created);
  expect(await unwrap(orrery.listDatasets("rpc-40"))).toMatchObject({ datasets: [{ name: "t", rows: 2 }] });
  const page = await unwrap(orrery.datasetRows("rpc-40", id, { limit: 1 }));
  expect(await unwrap(orrery.datasetRows("rpc-40", id, { cursor: assertPresent(page.next_cursor) }))).toMatchObject({
    rows: [[2, null]],
  });
  const sum = { aggregate: [{ function: "sum" as const, column: "a" }] };
  expect(await unwrap(orrery.queryDataset("rpc-40", id, sum))).toMatchObject({ rows: [[3]] });
  expect(await orrery.queryDataset("rpc-40", id, { group: ["c"] })).toMatchObject({
    failure: { code: "unprocessable", field: "column" },
  });
  expect(await unwrap(orrery.datasetCsv("rpc-40", id))).toBe("\ufeffa,b\r\n1,x\r\n2,\r\n");
  expect(await unwrap(orrery.updateDataset("rpc-40", id, { name: "u" }))).toMatchObject({ name: "u" });
  const bytes = new TextEncoder().encode("c\n1\n");
  expect(await unwrap(orrery.createDataset("rpc-40", createCsv(bytes), { name: "u", replace: true }))).toMatchObject({
    dataset_id: id,
    columns: [{ name: "c" }],
  });
  expect(await unwrap(orrery.deleteDataset("rpc-40", id))).toEqual({ dataset_id: id, deleted: true });
  expect((await unwrap(orrery.loadSample("rpc-40"))).datasets).toHaveLength(4);
  const xml = { type: "xml", content: "a" } as never;
  expect(await orrery.createDataset("rpc-40", xml)).toMatchObject({ failure: { code: "invalid_request" } });
  const large = createCsv(new Uint8Array(12 * 1_024 * 1_024 + 1).fill(65));
  expect(await orrery.createDataset("rpc-40", large)).toMatchObject({ failure: { code: "too_large" } });
});
