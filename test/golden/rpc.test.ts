// The methods of the RPC interface and the classes that the platform instantiates stay the same.

import { join } from "node:path";
import { API } from "typescript/unstable/sync";
import { afterAll, beforeAll, expect, test } from "vitest";
import { printMethod } from "./print-type.ts";
import { expectGolden, printJson } from "./golden-files.ts";

const ROOT = join(import.meta.dirname, "..", "..");

let compiler: API;

beforeAll(() => {
  compiler = new API({ cwd: ROOT });
});
afterAll(() => compiler.close());

test("the methods of the RPC interface keep their parameter and return types", { timeout: 60_000 }, () => {
  const { checker, exports } = readExports("test/golden/rpc-interface.ts");
  const alias = exports.find(({ name }) => name === "Interface");
  if (alias === undefined) throw new Error("The interface is not exported.");
  const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(alias));
  const methods = checker.getPropertiesOfType(type).map((method) => {
    const signature = checker.getTypeOfSymbol(method);
    return `${method.name}${signature === undefined ? "" : printMethod(checker, signature)}`;
  });
  expect(methods.length).toBeGreaterThan(0);
  expectGolden("files/rpc.txt", `${methods.toSorted().join("\n\n")}\n`);
});

test("the Worker exports the same classes", { timeout: 60_000 }, () => {
  const { exports } = readExports("src/worker.ts");
  expectGolden("files/worker-exports.json", printJson(exports.map(({ name }) => name).toSorted()));
});

function readExports(file: string) {
  const project = compiler.updateSnapshot({ openProject: join(ROOT, "tsconfig.json") }).getProjects()[0];
  const source = project?.program.getSourceFile(join(ROOT, file));
  const module = source === undefined ? undefined : project?.checker.getSymbolAtLocation(source);
  if (project === undefined || module === undefined) throw new Error(`${file} is no module.`);
  return { checker: project.checker, exports: project.checker.getExportsOfModule(module) };
}
