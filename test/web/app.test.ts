// The application shell: shortcuts, document title, sign-in, areas, prefetching and missing scripts.

import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { prefetchScripts } from "../../src/web/session/prefetch-scripts.ts";
import { findArea } from "../../src/web/app/areas.ts";
import { matchShortcut, type KeyPress } from "../../src/web/app/shortcuts.ts";
import { getPreference } from "../../src/web/session/preference.ts";
import { isMissingScriptError } from "../../src/web/app/reload-after-deploy.ts";
import { formatDocumentTitle } from "../../src/web/ui/panel.tsx";
import { parsePastedToken } from "../../src/web/app/sign-in/parse-pasted-token.ts";

const NO_MODIFIERS = { ctrlKey: false, metaKey: false, shiftKey: false, altKey: false };
const createKeyPress = (name: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key: name,
  keyCode: 0,
  repeat: false,
  isComposing: false,
  ...NO_MODIFIERS,
  ...more,
});

describe("keyboard shortcuts", () => {
  test("use Command on a Mac and Control elsewhere", () => {
    expect(matchShortcut(createKeyPress("k", { ctrlKey: true }), false, true)).toBe("palette");
    expect(matchShortcut(createKeyPress("k", { metaKey: true }), true, true)).toBe("palette");
    expect(matchShortcut(createKeyPress("O", { ctrlKey: true, shiftKey: true }), false, true)).toBe("new");
    expect(matchShortcut(createKeyPress("b", { ctrlKey: true }), false, false)).toBe("sidebar");
  });

  test("ignore the Control keys that edit text on a Mac", () => {
    expect(matchShortcut(createKeyPress("k", { ctrlKey: true }), true, true)).toBeNull();
    expect(matchShortcut(createKeyPress("b", { ctrlKey: true }), true, true)).toBeNull();
  });

  test("open the shortcut list with a question mark, except in a text field", () => {
    expect(matchShortcut(createKeyPress("?", { shiftKey: true }), false, false)).toBe("shortcuts");
    expect(matchShortcut(createKeyPress("?", { shiftKey: true }), false, true)).toBeNull();
  });

  test("ignore keys during IME composition, with Alt and on repeat", () => {
    expect(matchShortcut(createKeyPress("k", { ctrlKey: true, isComposing: true }), false, true)).toBeNull();
    expect(matchShortcut(createKeyPress("k", { ctrlKey: true, keyCode: 229 }), false, true)).toBeNull();
    expect(matchShortcut(createKeyPress("k", { ctrlKey: true, altKey: true }), false, false)).toBeNull();
    expect(matchShortcut(createKeyPress("b", { ctrlKey: true, repeat: true }), false, false)).toBeNull();
    expect(matchShortcut(createKeyPress("k"), false, false)).toBeNull();
  });
});

test("the document title contains the view and the number of open questions", () => {
  expect(formatDocumentTitle("Agents", 0)).toBe("Agents · Orrery");
  expect(formatDocumentTitle("Agents", 2)).toBe("(2) Agents · Orrery");
  expect(formatDocumentTitle("", 0)).toBe("Orrery");
  expect(formatDocumentTitle("\u202egnp.exe", 0)).toBe("\\u202egnp.exe · Orrery");
});

test("parsePastedToken finds the token in a pasted header", () => {
  expect(parsePastedToken(" eyJ.a-b_c.d \n")).toBe("eyJ.a-b_c.d");
  expect(parsePastedToken("Bearer eyJ")).toBe("eyJ");
  expect(parsePastedToken("Authorization: Bearer eyJ")).toBe("eyJ");
  expect(parsePastedToken("two words")).toBeNull();
  expect(parsePastedToken("令牌")).toBeNull();
  expect(parsePastedToken("  ")).toBeNull();
});

test("isMissingScriptError separates missing scripts from errors of a view", () => {
  expect(isMissingScriptError(new TypeError("Failed to fetch dynamically imported module: https://a/b.js"))).toBe(true);
  expect(isMissingScriptError(new TypeError("error loading dynamically imported module: https://a/b.js"))).toBe(true);
  expect(isMissingScriptError(new TypeError("Importing a module script failed."))).toBe(true);
  expect(isMissingScriptError(new Error("Unable to preload CSS for /assets/a.css"))).toBe(true);
  expect(isMissingScriptError(new TypeError("Cannot read properties of undefined"))).toBe(false);
});

test("findArea finds the area of a path, and the workflow area for an instance", () => {
  expect(findArea("/tools")?.path).toBe("/tools");
  expect(findArea("/tools/primes")?.path).toBe("/tools");
  expect(findArea("/instances/inst-1")?.path).toBe("/plans");
  expect(findArea("/toolshed")).toBeUndefined();
  expect(findArea("/")).toBeUndefined();
});

describe("script prefetch", () => {
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

  test("loads every script after the first user input, even if one fails", async () => {
    vi.stubGlobal("navigator", { onLine: true });
    const loads = [
      vi.fn<() => Promise<unknown>>().mockRejectedValue(new Error("gone")),
      vi.fn<() => Promise<unknown>>().mockResolvedValue(0),
    ];
    prefetchScripts(loads);
    await vi.runAllTimersAsync();
    for (const load of loads) expect(load, "before any user input").not.toHaveBeenCalled();
    page.dispatchEvent(new Event("keydown"));
    page.dispatchEvent(new Event("pointerdown"));
    await vi.runAllTimersAsync();
    for (const load of loads) expect(load).toHaveBeenCalledOnce();
  });

  test.each([
    ["it is cancelled", { onLine: true }, true],
    ["data saving is on", { onLine: true, connection: { saveData: true } }, false],
    ["the browser is offline", { onLine: false }, false],
  ])("loads nothing if %s", async (_, navigator, isCancelled) => {
    vi.stubGlobal("navigator", navigator);
    const load = vi.fn<() => Promise<unknown>>().mockResolvedValue(0);
    const cancelPrefetch = prefetchScripts([load]);
    page.dispatchEvent(new Event("pointerdown"));
    if (isCancelled) cancelPrefetch();
    await vi.runAllTimersAsync();
    expect(load).not.toHaveBeenCalled();
  });
});

test("a preference reads the value that another tab set while there was no subscriber", () => {
  const stored = new Map<string, string>();
  const listeners = new Set<(event: { readonly key: string }) => void>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => stored.get(key) ?? null });
  vi.stubGlobal("addEventListener", (_: string, listener: (event: { readonly key: string }) => void) =>
    listeners.add(listener),
  );
  vi.stubGlobal("removeEventListener", (_: string, listener: (event: object) => void) => listeners.delete(listener));
  onTestFinished(() => void vi.unstubAllGlobals());
  const { get, subscribe } = getPreference("of-a-test");
  subscribe(() => {})();
  stored.set("orrery.of-a-test", "yes");
  for (const listener of listeners) listener({ key: "orrery.of-a-test" });
  expect(get()).toBe("yes");
});
