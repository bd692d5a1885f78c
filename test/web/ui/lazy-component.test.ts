// Components whose code is loaded when they are first rendered or preloaded.

import { createElement, Suspense, type FunctionComponent } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import { createLazyComponent } from "../../../src/web/ui/lazy-component.tsx";
import "../load-messages.ts";

const Greeting = ({ name }: { readonly name: string }) => createElement("b", null, name);

const renderSuspended = (view: FunctionComponent<{ readonly name: string }>) =>
  renderToStaticMarkup(createElement(Suspense, { fallback: "Loading" }, createElement(view, { name: "Ann" })));

test("a preloaded component renders without the fallback", async () => {
  const Ahead = createLazyComponent(() => Promise.resolve(Greeting));
  expect(renderSuspended(Ahead)).toContain("Loading");
  const Other = createLazyComponent(() => Promise.resolve(Greeting));
  await Other.load();
  expect(renderSuspended(Other)).toBe("<b>Ann</b>");
});

test("a component whose preload failed is loaded again when it renders", async () => {
  let attempts = 0;
  const Late = createLazyComponent(() => {
    attempts += 1;
    return attempts === 1 ? Promise.reject(new Error("offline")) : Promise.resolve(Greeting);
  });
  await expect(Late.load()).rejects.toThrow("offline");
  expect(renderSuspended(Late)).toContain("Loading");
  await vi.waitFor(() => expect(renderSuspended(Late)).toBe("<b>Ann</b>"));
  expect(attempts).toBe(2);
});
