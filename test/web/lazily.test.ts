// What is loaded when it is first shown.

import { createElement, Suspense, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { createLazyComponent } from "../../src/web/lazy-component.tsx";

const Greeting = ({ name }: { readonly name: string }) => createElement("b", null, name);

const shown = (view: FunctionComponent<{ readonly name: string }>) =>
  renderToStaticMarkup(createElement(Suspense, { fallback: "Loading" }, createElement(view, { name: "Ann" })));

test("what was fetched ahead stands at once, and not after what is shown meanwhile", async () => {
  const Ahead = createLazyComponent(() => Promise.resolve(Greeting));
  expect(shown(Ahead)).toContain("Loading");
  const Other = createLazyComponent(() => Promise.resolve(Greeting));
  await Other.load();
  expect(shown(Other)).toBe("<b>Ann</b>");
});

test("what could not be fetched ahead is fetched when it is shown", async () => {
  let tries = 0;
  const Late = createLazyComponent(() => {
    tries += 1;
    return tries === 1 ? Promise.reject(new Error("offline")) : Promise.resolve(Greeting);
  });
  await expect(Late.load()).rejects.toThrow("offline");
  expect(shown(Late)).toContain("Loading");
  await Promise.resolve();
  expect([tries, shown(Late)]).toEqual([2, "<b>Ann</b>"]);
});
