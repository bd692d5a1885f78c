// Checks the static pages: their links have targets, and they work under the Content-Security-Policy of `_headers`.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildAssets } from "../scripts/assets.ts";
import { routes } from "../src/http/http-app.ts";

const ROOT = join(import.meta.dirname, "..");
const OUT = join(ROOT, "dist", "web");
const GET_PATHS = routes.filter(({ method }) => method === "get").map(({ path }) => path);

beforeAll(buildAssets);

describe.each(["/index.html", "/docs/index.html"])("%s", (page) => {
  const html = () => readFileSync(join(OUT, page), "utf8");

  test("links only to existing files and routes of the same origin", () => {
    const targets = [...html().matchAll(/(?:href|src)="([^"]+)"/g)].map(
      ([, target = ""]) => new URL(target, `https://orrery.invalid${page}`),
    );
    expect(targets.length).toBeGreaterThan(2);
    expect(targets.filter(({ host }) => host !== "orrery.invalid")).toEqual([]);
    expect(targets.map(({ pathname }) => pathname).filter((path) => !isServed(path))).toEqual([]);
  });

  test("contains no inline script, style or event handler", () => {
    const scripts = [...html().matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)];
    expect(scripts.filter(([tag, inside]) => !/\bsrc=/.test(tag) || inside !== "")).toEqual([]);
    expect(html()).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:/i);
  });
});

test("Swagger UI loads the API description of the server and no remote validator", () => {
  const script = readFileSync(join(ROOT, "public", "docs", "start.mjs"), "utf8");
  const [, url = ""] = /\burl: "([^"]+)"/.exec(script) ?? [];
  expect(GET_PATHS).toContain(url);
  expect(script).toContain("validatorUrl: null");
});

test("Content-Security-Policy allows no inline code, other hosts or frames", () => {
  const headers = readFileSync(join(OUT, "_headers"), "utf8");
  const [, policy = ""] = /Content-Security-Policy: (.+)/.exec(headers) ?? [];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

function isServed(path: string): boolean {
  const file = path.endsWith("/") ? `${path}index.html` : path;
  return existsSync(join(OUT, file)) || GET_PATHS.includes(path);
}
