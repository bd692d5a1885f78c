// The frame of the application: its keys, its title, its way in, and what it does when a part is missing.

import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { prefetchScripts } from "../../src/web/shell/prefetch-scripts.ts";
import { findArea } from "../../src/web/shell/areas.ts";
import { matchShortcut, type KeyPress } from "../../src/web/shell/shortcuts.ts";
import { getPreference } from "../../src/web/preference.ts";
import { isMissingScriptError } from "../../src/web/shell/reload-after-deploy.ts";
import { formatDocumentTitle } from "../../src/web/shell/view-title.ts";
import { parsePastedToken } from "../../src/web/shell/sign-in/parse-pasted-token.ts";

const NOTHING_HELD = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const key = (name: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key: name,
  keyCode: 0,
  repeat: false,
  isComposing: false,
  ...NOTHING_HELD,
  ...more,
});

describe("keys", () => {
  test("Control elsewhere, Command on a Mac", () => {
    expect(matchShortcut(key("k", { ctrlKey: true }), false, true)).toBe("palette");
    expect(matchShortcut(key("k", { metaKey: true }), true, true)).toBe("palette");
    expect(matchShortcut(key("O", { ctrlKey: true, shiftKey: true }), false, true)).toBe("new");
    expect(matchShortcut(key("b", { ctrlKey: true }), false, false)).toBe("sidebar");
  });

  test("what edits text on a Mac is left to the text", () => {
    expect(matchShortcut(key("k", { ctrlKey: true }), true, true)).toBeNull();
    expect(matchShortcut(key("b", { ctrlKey: true }), true, true)).toBeNull();
  });

  test("a question mark asks for the list, and not while somebody writes", () => {
    expect(matchShortcut(key("?", { shiftKey: true }), false, false)).toBe("shortcuts");
    expect(matchShortcut(key("?", { shiftKey: true }), false, true)).toBeNull();
  });

  test("nothing while an input method composes, nothing with Alt, nothing again and again", () => {
    expect(matchShortcut(key("k", { ctrlKey: true, isComposing: true }), false, true)).toBeNull();
    expect(matchShortcut(key("k", { ctrlKey: true, keyCode: 229 }), false, true)).toBeNull();
    expect(matchShortcut(key("k", { ctrlKey: true, altKey: true }), false, false)).toBeNull();
    expect(matchShortcut(key("b", { ctrlKey: true, repeat: true }), false, false)).toBeNull();
    expect(matchShortcut(key("k"), false, false)).toBeNull();
  });
});

test("the title of the document names the view and counts what waits", () => {
  expect(formatDocumentTitle("Agents", 0)).toBe("Agents · Orrery");
  expect(formatDocumentTitle("Agents", 2)).toBe("(2) Agents · Orrery");
  expect(formatDocumentTitle("", 0)).toBe("Orrery");
  expect(formatDocumentTitle("\u202egnp.exe", 0)).toBe("\\u202egnp.exe · Orrery");
});

test("a token is found in what people copy", () => {
  expect(parsePastedToken(" eyJ.a-b_c.d \n")).toBe("eyJ.a-b_c.d");
  expect(parsePastedToken("Bearer eyJ")).toBe("eyJ");
  expect(parsePastedToken("Authorization: Bearer eyJ")).toBe("eyJ");
  expect(parsePastedToken("two words")).toBeNull();
  expect(parsePastedToken("令牌")).toBeNull();
  expect(parsePastedToken("  ")).toBeNull();
});

test("knows a script that is no more from an error of a view", () => {
  expect(isMissingScriptError(new TypeError("Failed to fetch dynamically imported module: https://a/b.js"))).toBe(true);
  expect(isMissingScriptError(new TypeError("error loading dynamically imported module: https://a/b.js"))).toBe(true);
  expect(isMissingScriptError(new TypeError("Importing a module script failed."))).toBe(true);
  expect(isMissingScriptError(new Error("Unable to preload CSS for /assets/a.css"))).toBe(true);
  expect(isMissingScriptError(new TypeError("Cannot read properties of undefined"))).toBe(false);
});

test("every address of an area is in it, and an instance of a plan is among the plans", () => {
  expect(findArea("/tools")?.path).toBe("/tools");
  expect(findArea("/tools/primes")?.path).toBe("/tools");
  expect(findArea("/instances/inst-1")?.path).toBe("/plans");
  expect(findArea("/toolshed")).toBeUndefined();
  expect(findArea("/")).toBeUndefined();
});

describe("what is fetched ahead", () => {
  let page = new EventTarget();
  beforeEach(() => {
    page = new EventTarget();
    vi.useFakeTimers();
    vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
    vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  test("comes one after the other, whether or not one is missing", async () => {
    vi.stubGlobal("navigator", { onLine: true });
    const loads = [
      vi.fn<() => Promise<unknown>>().mockRejectedValue(new Error("gone")),
      vi.fn<() => Promise<unknown>>().mockResolvedValue(0),
    ];
    prefetchScripts(loads);
    await vi.runAllTimersAsync();
    for (const load of loads) expect(load, "before anybody does anything").not.toHaveBeenCalled();
    page.dispatchEvent(new Event("keydown"));
    page.dispatchEvent(new Event("pointerdown"));
    await vi.runAllTimersAsync();
    for (const load of loads) expect(load).toHaveBeenCalledOnce();
  });

  test.each([
    ["called off", { onLine: true }, true],
    ["asked to spare the line", { onLine: true, connection: { saveData: true } }, false],
    ["without a line", { onLine: false }, false],
  ])("is nothing when %s", async (_, navigator, isCalledOff) => {
    vi.stubGlobal("navigator", navigator);
    const load = vi.fn<() => Promise<unknown>>().mockResolvedValue(0);
    const callOff = prefetchScripts([load]);
    page.dispatchEvent(new Event("pointerdown"));
    if (isCalledOff) callOff();
    await vi.runAllTimersAsync();
    expect(load).not.toHaveBeenCalled();
  });
});

test("what another tab sets while nobody looks is there when somebody does", () => {
  const kept = new Map<string, string>();
  const heard = new Set<(event: { readonly key: string }) => void>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null });
  vi.stubGlobal("addEventListener", (_: string, hear: (event: { readonly key: string }) => void) => heard.add(hear));
  vi.stubGlobal("removeEventListener", (_: string, hear: (event: object) => void) => heard.delete(hear));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { get, subscribe } = getPreference("of-a-test");
  subscribe(() => {})();
  kept.set("orrery.of-a-test", "yes");
  for (const hear of heard) hear({ key: "orrery.of-a-test" });
  expect(get()).toBe("yes");
});
