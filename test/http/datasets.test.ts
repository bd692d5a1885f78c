// The doors to a person's tables.

import { describe, expect, test } from "vitest";
import { createApi } from "../../src/client/api.ts";
import { MAX_DATASET_BYTES } from "../../src/datasets/dataset-limits.ts";
import type { Dataset, DatasetList, DatasetRows, QueryResult } from "../../src/protocol/datasets/dataset.ts";
import { Fault } from "../../src/protocol/wire/fault.ts";
import { ask, call, must, ORIGIN, refused, type Ask } from "./support.ts";
import { as } from "./tokens.ts";

const DATASETS = "/api/v1/datasets";
const CSV = { "content-type": "text/csv" };
const SCORES = "班级,姓名,成绩\n一班,甲,85\n一班,乙,\n二班,丙,58.5\n";

let people = 0;
/** Somebody who has nothing yet. */
const somebody = (): Promise<Ask> => as(`tables-${(people += 1)}`);

type Body = string | ReadableStream;

async function upload(who: Ask, body: Body, query = "", headers: Record<string, string> = CSV): Promise<Dataset> {
  return ask("POST", `${DATASETS}${query}`, { ...who, headers: { ...who.headers, ...headers }, body });
}

function refusedUpload(who: Ask, body: Body, query = "", headers: Record<string, string> = CSV) {
  return refused("POST", `${DATASETS}${query}`, { ...who, headers: { ...who.headers, ...headers }, body });
}

describe("a table", () => {
  test("is uploaded, listed, read, asked, renamed and deleted", async () => {
    const ada = await somebody();
    const made = await upload(ada, SCORES, "?name=成绩");
    expect(made).toMatchObject({ name: "成绩", rows: 3, size: new TextEncoder().encode(SCORES).length });
    expect(made.columns[2]).toMatchObject({ name: "成绩", type: "number", gaps: 1, min: 58.5, max: 85, mean: 71.75 });
    const at = `${DATASETS}/${made.dataset_id}`;
    expect(await ask("GET", at, ada)).toEqual(made);
    const { datasets } = await ask<DatasetList>("GET", DATASETS, ada);
    expect(datasets).toMatchObject([{ dataset_id: made.dataset_id, name: "成绩", rows: 3, is_sample: false }]);
    const body = {
      group: ["班级"],
      aggregate: [{ function: "mean", column: "成绩", as: "平均" }],
      order: [{ by: "平均" }],
    };
    const result = await ask<QueryResult>("POST", `${at}/query`, { ...ada, body });
    expect(result.rows).toEqual([
      ["二班", 58.5],
      ["一班", 85],
    ]);
    expect(await ask("PATCH", at, { ...ada, body: { name: " 秋季成绩 " } })).toMatchObject({ name: "秋季成绩" });
    expect(await ask("DELETE", at, ada)).toEqual({ dataset_id: made.dataset_id, deleted: true });
    for (const [method, path] of [
      ["GET", at],
      ["DELETE", at],
      ["GET", `${at}.csv`],
    ] as const) {
      expect(await refused(method, path, ada)).toMatchObject({ code: "not_found" });
    }
    expect(await ask("GET", DATASETS, ada)).toEqual({ datasets: [] });
  });

  test("comes as JSON too, with its name in it", async () => {
    const ada = await somebody();
    const json = { "content-type": "application/json" };
    const made = await upload(
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
    expect(made).toMatchObject({ name: "t", columns: [{ type: "number" }, { type: "text" }] });
    const other = await upload(ada, JSON.stringify([{ a: 1 }, { b: true }]), "?name=u", json);
    expect(other.preview).toEqual([
      [1, null],
      [null, true],
    ]);
  });

  test("comes as a file of a form too, with the file's name", async () => {
    const ada = await somebody();
    const form = new FormData();
    form.set("file", new File([SCORES], "期中.csv", { type: "text/csv" }));
    const request = new Request(ORIGIN, { method: "POST", body: form });
    const headers = { "content-type": must(request.headers.get("content-type")) };
    expect(await upload(ada, must(request.body), "", headers)).toMatchObject({ name: "期中", rows: 3 });
    expect(await refusedUpload(ada, "--x--", "", { "content-type": "multipart/form-data; boundary=x" })).toMatchObject({
      status: 400,
    });
  });

  test("in an encoding of Windows is read as what its sender says", async () => {
    const ada = await somebody();
    const gbk = new Uint8Array([0xb0, 0xe0, 0x0a, 0xd2, 0xbb, 0x0a]);
    const body = new Response(gbk).body;
    const made = await ask<Dataset>("POST", DATASETS, {
      ...ada,
      headers: { ...ada.headers, "content-type": "text/csv; charset=gbk" },
      body,
    });
    expect(made).toMatchObject({
      name: "Dataset",
      columns: [{ name: "班" }],
      preview: [["一"]],
      notes: ["It was read as gbk."],
    });
  });

  test("of a name that is taken is a conflict, or replaces the other one and keeps its id", async () => {
    const ada = await somebody();
    const first = await upload(ada, "a\n1\n", "?name=T");
    expect(await refusedUpload(ada, "b\n2\n", "?name=t")).toMatchObject({ code: "conflict", field: "name" });
    const second = await upload(ada, "b\n2\n", "?name=t&replace=true");
    expect(second).toMatchObject({ dataset_id: first.dataset_id, columns: [{ name: "b" }], preview: [[2]] });
    const other = await upload(ada, "c\n3\n", "?name=other");
    const clash = { ...ada, body: { name: "T" } };
    expect(await refused("PATCH", `${DATASETS}/${other.dataset_id}`, clash)).toMatchObject({ code: "conflict" });
    expect((await upload(ada, "a\n1\n")).name).toBe("Dataset");
    expect((await upload(ada, "a\n1\n")).name).toBe("Dataset (2)");
  });

  test("is paged through to its end, and a cursor is good for one table", async () => {
    const ada = await somebody();
    const made = await upload(ada, `n\n${Array.from({ length: 25 }, (_, i) => i).join("\n")}\n`, "?name=n");
    const at = `${DATASETS}/${made.dataset_id}/rows`;
    const seen: unknown[] = [];
    let cursor = "";
    for (let pages = 0; pages < 9; pages++) {
      const page = await ask<DatasetRows>("GET", `${at}?limit=10${cursor}`, ada);
      seen.push(...page.rows.flat());
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => i));
    const other = await upload(ada, "a\n1\n", "?name=other");
    expect(await refused("GET", `${DATASETS}/${other.dataset_id}/rows?limit=1${cursor}`, ada)).toMatchObject({
      field: "cursor",
    });
  });
});

describe("what is refused", () => {
  test.each([
    ["a quote that is never closed", `a,b\n1,2\n3,"4\n5,6\n`, /^Line 3, column 2: /],
    ["a row that is too long", `a,b\n1,2\n3,4,5\n`, /^Line 3, column 3: /],
    ["a row that is too short", `a,b\n1,2\n\n3\n`, /^Line 4, column 2: .*"b"/],
    ["nothing", ``, /empty/],
  ])("%s, with line and column", async (_, body, words) => {
    const problem = await refusedUpload(await somebody(), body);
    expect(problem).toMatchObject({
      status: 422,
      code: "unprocessable",
      detail: expect.stringMatching(words) as string,
    });
  });

  test("files beyond the limit, however they come", async () => {
    const ada = await somebody();
    const large = `a\n${"x\n".repeat(MAX_DATASET_BYTES / 2)}`;
    expect(await refusedUpload(ada, large)).toMatchObject({ status: 413, code: "too_large" });
    const form = new FormData();
    form.set("file", new File([large, large], "x.csv"));
    const request = new Request(ORIGIN, { method: "POST", body: form });
    const headers = { "content-type": must(request.headers.get("content-type")) };
    expect(await refusedUpload(ada, must(request.body), "", headers)).toMatchObject({ status: 413 });
    expect(await ask("GET", DATASETS, ada)).toEqual({ datasets: [] });
  });

  test("a body without end, which is left", async () => {
    let hasLeft = false;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 0));
        controller.enqueue(new Uint8Array(256 * 1_024).fill(10));
      },
      cancel: () => {
        hasLeft = true;
      },
    });
    expect(await refusedUpload(await somebody(), body)).toMatchObject({ status: 413 });
    expect(hasLeft).toBe(true);
  });

  test("a spreadsheet, and other kinds of files", async () => {
    const ada = await somebody();
    expect(await refusedUpload(ada, "PK\u0003\u0004…")).toMatchObject({ status: 415 });
    expect(await refusedUpload(ada, "a", "", { "content-type": "image/png" })).toMatchObject({ status: 415 });
    expect(await refusedUpload(ada, "a", "", { "content-type": "text/csv; charset=klingon" })).toMatchObject({
      status: 415,
    });
  });

  test("one table more than there may be", async () => {
    const ada = await somebody();
    for (let i = 0; i < 100; i++) await upload(ada, "a\n1\n", `?name=t${i}`);
    expect(await refusedUpload(ada, "a\n1\n", "?name=more")).toMatchObject({ status: 429, code: "too_many_requests" });
    expect(await upload(ada, "b\n1\n", "?name=t5&replace=true")).toMatchObject({ name: "t5" });
  });

  test.each([
    [{ filter: { column: "成積", operator: "gt", value: 1 } }, "column", /"成绩"/],
    [{ group: ["班"] }, "column", /"班级"/],
    [{ join: [{ dataset: "nothing", on: [{ left: "成绩", right: "x" }] }] }, "dataset", /"成绩"/],
    [{ filter: { column: "成绩", operator: "gt", value: "many" } }, "value", /number/],
    [{ aggregate: [{ function: "mean", column: "姓名" }] }, "column", /needs numbers/],
  ])("a query for what is not there: %j", async (body, field, words) => {
    const ada = await somebody();
    const { dataset_id: id } = await upload(ada, SCORES, "?name=成绩");
    const problem = await refused("POST", `${DATASETS}/${id}/query`, { ...ada, body });
    expect(problem).toMatchObject({ status: 422, field, detail: expect.stringMatching(words) as string });
  });

  test.each([
    [{ limit: 0 }, "limit"],
    [{ limit: 10_001 }, "limit"],
    [{ dataset: "x" }, "dataset"],
    [{ sql: "SELECT 1" }, "sql"],
    [{ aggregate: [{ function: "load_extension" }] }, "aggregate.0.function"],
  ])("a query of another form: %j", async (body, field) => {
    const ada = await somebody();
    const { dataset_id: id } = await upload(ada, SCORES);
    expect(await refused("POST", `${DATASETS}/${id}/query`, { ...ada, body })).toMatchObject({ status: 400, field });
  });
});

test("an export has no formulas, and reads as it was", async () => {
  const ada = await somebody();
  const text = `name,note,n\n"=1+1","+49 30",-5\n@cmd,"-2+3",1.5\n"a, ""b""",-7,\n`;
  const { dataset_id: id } = await upload(ada, text, "?name=a'b*(c)");
  const response = await call("GET", `${DATASETS}/${id}.csv`, ada);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(response.headers.get("content-disposition")).toContain("filename*=UTF-8''a%27b%2A%28c%29.csv");
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  const csv = new TextDecoder().decode(bytes);
  expect(csv.split("\r\n")).toEqual(["name,note,n", "'=1+1,'+49 30,-5", "'@cmd,'-2+3,1.5", `"a, ""b""",-7,`, ""]);
});

test("the sample is loaded once", async () => {
  const ada = await somebody();
  const { datasets } = await ask<DatasetList>("POST", `${DATASETS}/sample`, ada);
  expect(datasets.map(({ name }) => name)).toEqual(["classes", "students", "assignments", "scores"]);
  expect(await ask("POST", `${DATASETS}/sample`, ada)).toEqual({ datasets });
  expect(await ask("GET", DATASETS, ada)).toEqual({ datasets });
});

describe("[U1] another's tables", () => {
  test("are answered as those that never were, byte by byte", async () => {
    const [ada, eve] = [await somebody(), await somebody()];
    const { dataset_id: hers } = await upload(ada, SCORES, "?name=hers");
    const odd = ["DATA-1", "%E4%B9%98", "a%2Fb", "%00", "%ff", "x".repeat(5_000), "..%2Fx", "'%20OR%201=1"];
    const never = [`data-${"0".repeat(32)}`, hers.toUpperCase(), ...odd];
    for (const [method, ending, body] of [
      ["GET", ""],
      ["GET", ".csv"],
      ["GET", "/rows"],
      ["POST", "/query", {}],
      ["PATCH", "", { name: "mine" }],
      ["DELETE", ""],
    ] as const) {
      const answers = new Set<string>();
      for (const id of [hers, ...never]) {
        const response = await call(method, `${DATASETS}/${id}${ending}`, {
          ...eve,
          ...(body === undefined ? {} : { body }),
        });
        expect(response.status, `${method} ${id}${ending}`).toBe(404);
        answers.add(JSON.stringify([[...response.headers], await response.text()]));
      }
      expect(answers.size, `${method} ${ending}`).toBe(1);
    }
    const { dataset_id: own } = await upload(eve, "a\n1\n", "?name=hers");
    const join = { join: [{ dataset: hers, on: [{ left: "a", right: "班级" }] }] };
    const problem = await refused("POST", `${DATASETS}/${own}/query`, { ...eve, body: join });
    expect(problem).toMatchObject({ status: 422, field: "dataset" });
    expect(problem.detail).not.toContain("班级");
    expect(await ask("GET", `${DATASETS}/${hers}`, ada)).toMatchObject({ rows: 3 });
  });
});

test("the typed client does all of it", async () => {
  const ada = await somebody();
  const api = createApi({
    url: ORIGIN,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(input as string);
      const headers = { ...Object.fromEntries(new Headers(init?.headers)), ...ada.headers };
      const { body } = init ?? {};
      const given = body instanceof Blob ? await body.text() : body;
      return call(init?.method ?? "GET", pathname + search, {
        ...ada,
        headers,
        ...(given === undefined ? {} : { body: given }),
      });
    },
  });
  const made = await api.createDataset(SCORES, { name: "成绩" });
  expect(await api.dataset(made.dataset_id)).toEqual(made);
  expect(
    await api.createDataset(new Blob(["a\n1\n"], { type: "text/csv" }), { name: "成绩", replace: true }),
  ).toMatchObject({
    dataset_id: made.dataset_id,
  });
  const other = await api.createDataset([{ x: 1 }, { x: 2 }]);
  expect((await api.listDatasets()).map(({ name }) => name).toSorted()).toEqual(["Dataset", "成绩"]);
  const page = await api.datasetRows(other.dataset_id, { limit: 1 });
  expect(await api.datasetRows(other.dataset_id, { cursor: must(page.next_cursor) })).toMatchObject({ rows: [[2]] });
  const query = { filter: { column: "x", operator: "gt" as const, value: 1 } };
  expect(await api.queryDataset(other.dataset_id, query)).toMatchObject({ rows: [[2]] });
  expect(await api.datasetCsv(other.dataset_id)).toBe("x\r\n1\r\n2\r\n");
  expect(await api.renameDataset(other.dataset_id, "x")).toMatchObject({ name: "x" });
  await api.deleteDataset(other.dataset_id);
  expect(await api.loadSample()).toHaveLength(4);
  const gone = await api.dataset(other.dataset_id).catch((thrown: unknown) => thrown);
  expect(gone).toBeInstanceOf(Fault);
  expect(gone).toMatchObject({ code: "not_found" });
});
