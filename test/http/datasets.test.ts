// The HTTP interface of the datasets of a user.

import { describe, expect, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import { MAX_DATASET_BYTES } from "../../src/datasets/dataset-limits.ts";
import {
  MAX_DATASET_NAME,
  type Dataset,
  type DatasetList,
  type DatasetRows,
  type QueryResult,
} from "../../src/protocol/datasets/dataset.ts";
import {
  callRoute,
  call,
  assertPresent,
  createEndlessBody,
  ORIGIN,
  callForProblem,
  type ApiRequest,
} from "./support.ts";
import { authenticateAs } from "./tokens.ts";

const DATASETS = "/api/v1/datasets";
const CSV = { "content-type": "text/csv" };
const SCORES = "班级,姓名,成绩\n一班,甲,85\n一班,乙,\n二班,丙,58.5\n";

let userCount = 0;
/** Creates a user without data. */
const createUser = (): Promise<ApiRequest> => authenticateAs(`tables-${(userCount += 1)}`);

type UploadBody = string | ReadableStream;

async function uploadDataset(
  user: ApiRequest,
  body: UploadBody,
  query = "",
  headers: Record<string, string> = CSV,
): Promise<Dataset> {
  return callRoute("POST", `${DATASETS}${query}`, { ...user, headers: { ...user.headers, ...headers }, body });
}

function uploadForProblem(user: ApiRequest, body: UploadBody, query = "", headers: Record<string, string> = CSV) {
  return callForProblem("POST", `${DATASETS}${query}`, { ...user, headers: { ...user.headers, ...headers }, body });
}

describe("a dataset", () => {
  test("can be uploaded, listed, read, queried, renamed and deleted", async () => {
    const ada = await createUser();
    const created = await uploadDataset(ada, SCORES, "?name=成绩");
    expect(created).toMatchObject({ name: "成绩", rows: 3, size: new TextEncoder().encode(SCORES).length });
    expect(created.columns[2]).toMatchObject({
      name: "成绩",
      type: "number",
      gaps: 1,
      min: 58.5,
      max: 85,
      mean: 71.75,
    });
    const datasetPath = `${DATASETS}/${created.dataset_id}`;
    expect(await callRoute("GET", datasetPath, ada)).toEqual(created);
    const { datasets } = await callRoute<DatasetList>("GET", DATASETS, ada);
    expect(datasets).toMatchObject([{ dataset_id: created.dataset_id, name: "成绩", rows: 3, is_sample: false }]);
    const body = {
      group: ["班级"],
      aggregate: [{ function: "mean", column: "成绩", as: "平均" }],
      order: [{ by: "平均" }],
    };
    const result = await callRoute<QueryResult>("POST", `${datasetPath}/query`, { ...ada, body });
    expect(result.rows).toEqual([
      ["二班", 58.5],
      ["一班", 85],
    ]);
    expect(await callRoute("PATCH", datasetPath, { ...ada, body: { name: " 秋季成绩 " } })).toMatchObject({
      name: "秋季成绩",
    });
    expect(await callRoute("DELETE", datasetPath, ada)).toEqual({ dataset_id: created.dataset_id, deleted: true });
    for (const [method, path] of [
      ["GET", datasetPath],
      ["DELETE", datasetPath],
      ["GET", `${datasetPath}/csv`],
      ["GET", `${datasetPath}.csv`],
    ] as const) {
      expect(await callForProblem(method, path, ada)).toMatchObject({ code: "not_found" });
    }
    expect(await callRoute("GET", DATASETS, ada)).toEqual({ datasets: [] });
  });

  test("can be uploaded as JSON that contains its name", async () => {
    const ada = await createUser();
    const json = { "content-type": "application/json" };
    const created = await uploadDataset(
      ada,
      JSON.stringify({
        name: "t",
        columns: ["a", "b"],
        rows: [
          [1, "x"],
          [2.5, null],
        ],
      }),
      "",
      json,
    );
    expect(created).toMatchObject({ name: "t", columns: [{ type: "number" }, { type: "text" }] });
    const other = await uploadDataset(ada, JSON.stringify([{ a: 1 }, { b: true }]), "?name=u", json);
    expect(other.preview).toEqual([
      [1, null],
      [null, true],
    ]);
  });

  test("can be uploaded as a file of a form, with the file name as its name", async () => {
    const ada = await createUser();
    const form = new FormData();
    form.set("file", new File([SCORES], "期中.csv", { type: "text/csv" }));
    const request = new Request(ORIGIN, { method: "POST", body: form });
    const headers = { "content-type": assertPresent(request.headers.get("content-type")) };
    expect(await uploadDataset(ada, assertPresent(request.body), "", headers)).toMatchObject({ name: "期中", rows: 3 });
    expect(
      await uploadForProblem(ada, "--x--", "", { "content-type": "multipart/form-data; boundary=x" }),
    ).toMatchObject({
      status: 400,
    });
  });

  test("in a Windows encoding is decoded by its charset", async () => {
    const ada = await createUser();
    const gbk = new Uint8Array([0xb0, 0xe0, 0x0a, 0xd2, 0xbb, 0x0a]);
    const body = new Response(gbk).body;
    const created = await callRoute<Dataset>("POST", DATASETS, {
      ...ada,
      headers: { ...ada.headers, "content-type": "text/csv; charset=gbk" },
      body,
    });
    expect(created).toMatchObject({
      name: "Dataset",
      columns: [{ name: "班" }],
      preview: [["一"]],
      notes: ["The file was read as gbk."],
    });
  });

  test("with a taken name is a conflict, or replaces the other dataset and keeps its id", async () => {
    const ada = await createUser();
    const first = await uploadDataset(ada, "a\n1\n", "?name=T");
    expect(await uploadForProblem(ada, "b\n2\n", "?name=t")).toMatchObject({ code: "conflict", field: "name" });
    const second = await uploadDataset(ada, "b\n2\n", "?name=t&replace=true");
    expect(second).toMatchObject({ dataset_id: first.dataset_id, columns: [{ name: "b" }], preview: [[2]] });
    const other = await uploadDataset(ada, "c\n3\n", "?name=other");
    const clash = { ...ada, body: { name: "T" } };
    expect(await callForProblem("PATCH", `${DATASETS}/${other.dataset_id}`, clash)).toMatchObject({ code: "conflict" });
    expect((await uploadDataset(ada, "a\n1\n")).name).toBe("Dataset");
    expect((await uploadDataset(ada, "a\n1\n")).name).toBe("Dataset (2)");
  });

  test("is read in pages, and a cursor is valid for one dataset only", async () => {
    const ada = await createUser();
    const created = await uploadDataset(ada, `n\n${Array.from({ length: 25 }, (_, i) => i).join("\n")}\n`, "?name=n");
    const datasetPath = `${DATASETS}/${created.dataset_id}/rows`;
    const seen: unknown[] = [];
    let cursor = "";
    for (let pages = 0; pages < 9; pages++) {
      const page = await callRoute<DatasetRows>("GET", `${datasetPath}?limit=10${cursor}`, ada);
      seen.push(...page.rows.flat());
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => i));
    const other = await uploadDataset(ada, "a\n1\n", "?name=other");
    expect(await callForProblem("GET", `${DATASETS}/${other.dataset_id}/rows?limit=1${cursor}`, ada)).toMatchObject({
      field: "cursor",
    });
  });
});

describe("a dataset request", () => {
  test.each([
    ["a quote that is never closed", `a,b\n1,2\n3,"4\n5,6\n`, /^Line 3, column 2: /],
    ["an empty file", ``, /empty/],
  ])("is rejected with line and column for %s", async (_, body, words) => {
    const problem = await uploadForProblem(await createUser(), body);
    expect(problem).toMatchObject({
      status: 422,
      code: "unprocessable",
      detail: expect.stringMatching(words) as string,
    });
  });

  test("is rejected for a file beyond the size limit, in any form", async () => {
    const ada = await createUser();
    const large = `a\n${"x\n".repeat(MAX_DATASET_BYTES / 2)}`;
    expect(await uploadForProblem(ada, large)).toMatchObject({ status: 413, code: "too_large" });
    const form = new FormData();
    form.set("file", new File([large, large], "x.csv"));
    const request = new Request(ORIGIN, { method: "POST", body: form });
    const headers = { "content-type": assertPresent(request.headers.get("content-type")) };
    expect(await uploadForProblem(ada, assertPresent(request.body), "", headers)).toMatchObject({ status: 413 });
    expect(await callRoute("GET", DATASETS, ada)).toEqual({ datasets: [] });
  });

  test("is rejected for a body without end, which is cancelled", async () => {
    const { body, isCancelled } = createEndlessBody();
    expect(await uploadForProblem(await createUser(), body)).toMatchObject({ status: 413 });
    expect(isCancelled()).toBe(true);
  });

  test("is rejected for a spreadsheet or another kind of file", async () => {
    const ada = await createUser();
    expect(await uploadForProblem(ada, "PK\u0003\u0004…")).toMatchObject({ status: 415 });
    expect(await uploadForProblem(ada, "a", "", { "content-type": "image/png" })).toMatchObject({ status: 415 });
    expect(await uploadForProblem(ada, "a", "", { "content-type": "text/csv; charset=klingon" })).toMatchObject({
      status: 415,
    });
  });

  test("is rejected beyond the number of datasets", async () => {
    const ada = await createUser();
    for (let i = 0; i < 100; i++) await uploadDataset(ada, "a\n1\n", `?name=t${i}`);
    expect(await uploadForProblem(ada, "a\n1\n", "?name=more")).toMatchObject({
      status: 429,
      code: "too_many_requests",
    });
    expect(await uploadDataset(ada, "b\n1\n", "?name=t5&replace=true")).toMatchObject({ name: "t5" });
  });

  test.each([
    [{ filter: { column: "成積", operator: "gt", value: 1 } }, "column", /"成绩"/],
    [{ join: [{ dataset: "nothing", on: [{ left: "成绩", right: "x" }] }] }, "dataset", /"成绩"/],
  ])("is rejected for unknown names or wrong values in a query: %j", async (body, field, words) => {
    const ada = await createUser();
    const { dataset_id: id } = await uploadDataset(ada, SCORES, "?name=成绩");
    const problem = await callForProblem("POST", `${DATASETS}/${id}/query`, { ...ada, body });
    expect(problem).toMatchObject({ status: 422, field, detail: expect.stringMatching(words) as string });
  });

  test.each([
    [{ limit: 0 }, "limit"],
    [{ dataset: "x" }, "dataset"],
    [{ sql: "SELECT 1" }, "sql"],
  ])("is rejected for invalid members of a query: %j", async (body, field) => {
    const ada = await createUser();
    const { dataset_id: id } = await uploadDataset(ada, SCORES);
    expect(await callForProblem("POST", `${DATASETS}/${id}/query`, { ...ada, body })).toMatchObject({
      status: 400,
      field,
    });
  });
});

test.each(["/csv", ".csv"])("a CSV export (%s) escapes formulas and can be read again", async (ending) => {
  const ada = await createUser();
  const text = `name,note,n\n"=1+1","+49 30",-5\n@cmd,"-2+3",1.5\n"a, ""b""",-7,\n`;
  const { dataset_id: id } = await uploadDataset(ada, text, "?name=a'b*(c)");
  const response = await call("GET", `${DATASETS}/${id}${ending}`, ada);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toContain("filename*=UTF-8''a%27b%2A%28c%29.csv");
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const csv = new TextDecoder().decode(bytes);
  expect(csv.split("\r\n")).toEqual(["name,note,n", "'=1+1,'+49 30,-5", "'@cmd,'-2+3,1.5", `"a, ""b""",-7,`, ""]);
});

test("the sample is loaded once", async () => {
  const ada = await createUser();
  const { datasets } = await callRoute<DatasetList>("POST", `${DATASETS}/sample`, ada);
  expect(datasets.map(({ name }) => name)).toEqual(["classes", "students", "assignments", "scores"]);
  expect(await callRoute("POST", `${DATASETS}/sample`, ada)).toEqual({ datasets });
  expect(await callRoute("GET", DATASETS, ada)).toEqual({ datasets });
});

test("the typed client uploads text, a Blob and objects", async () => {
  const ada = await createUser();
  const api = createApi({
    url: ORIGIN,
    fetch: async (input, init) => {
      const { body = "" } = init ?? {};
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...ada.headers };
      const text = body instanceof Blob ? await body.text() : body;
      return call("POST", (input as string).slice(ORIGIN.length), { ...ada, headers, body: text });
    },
  });
  const created = await api.createDataset(SCORES, { name: "成绩" });
  const blob = new Blob(["a\n1\n"], { type: "text/csv" });
  expect((await api.createDataset(blob, { name: "成绩", replace: true })).dataset_id).toBe(created.dataset_id);
  expect((await api.createDataset([{ x: 1 }, { x: 2 }])).columns).toMatchObject([{ name: "x" }]);
  await expect(api.createDataset("a\n1\n", { name: "成绩" })).rejects.toMatchObject({
    name: "Fault",
    code: "conflict",
  });
});

test("a truncated file name contains no half character, and its dataset can be downloaded", async () => {
  const ada = await createUser();
  const form = new FormData();
  form.set("file", new File(["a,b\n1,2\n"], `${"x".repeat(MAX_DATASET_NAME - 1)}😀.csv`, { type: "text/csv" }));
  const request = new Request(ORIGIN, { method: "POST", body: form });
  const headers = { "content-type": assertPresent(request.headers.get("content-type")) };
  const { name, dataset_id } = await uploadDataset(ada, await request.text(), "", headers);
  expect([name.isWellFormed(), name.length <= MAX_DATASET_NAME]).toEqual([true, true]);
  expect((await call("GET", `${DATASETS}/${dataset_id}/csv`, ada)).status).toBe(200);
});
