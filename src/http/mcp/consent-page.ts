// The page on which a person lets a client use the interface as them. It has no script and loads nothing.
//
// The names and addresses on it come from the client, and anybody can register one. So the page says that the name is
// not verified, and shows where the person will be sent.

import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";
import type { Language } from "../../language/detect-language.ts";
import { createMessage, formatMessage, type MessageKey, type MessageParameters } from "../../language/messages.ts";
import { html, type Html } from "../html-template.ts";

const MAX_NAME_CHARS = 80;
const MAX_ADDRESS_CHARS = 300;
const ABILITIES = ["oauth.canSend", "oauth.canRead", "oauth.canSchedule"] as const;

const STYLE = `
:root{color-scheme:light dark;--bg:#f5f6f8;--card:#fff;--ink:#1c2330;--soft:#5b6577;--line:#7a8496;--bad:#a1232b;--act:#1d4ed8}
@media (prefers-color-scheme:dark){:root{--bg:#12161d;--card:#1a1f29;--ink:#e8ebf1;--soft:#a0a9b8;--line:#6b7688;--bad:#f29ca2;--act:#3b6fe0}}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1rem;background:var(--bg);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
main{max-width:30rem;margin:0 auto;padding:1.5rem;border-radius:.75rem;background:var(--card)}
h1{margin:0;font-size:1.35rem;line-height:1.3}p{margin:.75rem 0}ul{margin:.5rem 0;padding-left:1.25rem}
.soft{color:var(--soft);font-size:.9rem}.bad{color:var(--bad)}code{font-family:ui-monospace,Consolas,monospace;font-size:.9em}
label{display:block;margin-top:1.25rem;font-weight:600}
input{display:block;width:100%;margin:.35rem 0;padding:.6rem .7rem;border:1px solid var(--line);border-radius:.5rem;background:var(--bg);color:inherit;font:inherit}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
button{padding:.6rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:none;color:inherit;font:inherit;cursor:pointer}
button.main{border-color:var(--act);background:var(--act);color:#fff}
`.trim();

/** The content of the page: the client's request, and the handle that binds the form to this browser. */
export type Consent = {
  readonly request: ConsentDescription;
  readonly handle: string;
  /** True if the person has sent a token that is not valid. */
  readonly hasWrongToken: boolean;
};

/** Returns the page as a document. `nonce` is the one of its style sheet in the content security policy. */
export function renderConsentPage({ request, handle, hasWrongToken }: Consent, language: Language, nonce: string) {
  const say = createSpeaker(language);
  const title = say("oauth.title", { client: truncate(request.clientName, MAX_NAME_CHARS) });
  const wrong = hasWrongToken ? html`<p class="bad" id="wrong" role="alert">${say("oauth.wrongToken")}</p>` : null;
  const local = request.redirectIsLoopback ? html`<p>${say("oauth.localProgram")}</p>` : null;
  const body = html`<h1>${title}</h1>
    <p class="soft">${say("oauth.unverifiedName")}</p>
    <p>${say("oauth.abilities")}</p>
    <ul>
      ${ABILITIES.map((ability) => html`<li>${say(ability)}</li>`)}
    </ul>
    <p>${say("oauth.destination", { host: request.redirectHost })}</p>
    <p class="soft"><code>${truncate(request.redirectUri, MAX_ADDRESS_CHARS)}</code></p>
    ${local}
    <form method="post">
      <input type="hidden" name="handle" value="${handle}" />
      <label for="token">${say("oauth.token")}</label>
      <input type="password" id="token" name="token" required autocomplete="off" aria-describedby="about" />
      ${wrong}
      <p class="soft" id="about">${say("oauth.aboutToken")}</p>
      <div class="actions">
        <button class="main" name="decision" value="allow">${say("oauth.allow")}</button>
        <button name="decision" value="deny" formnovalidate>${say("oauth.deny")}</button>
      </div>
    </form>`;
  return renderPage(title, body, language, nonce);
}

/** Returns the page for a request that cannot be answered to its client. */
export function renderRefusalPage(
  reason: "oauth.expiredPage" | "oauth.invalidRequest",
  language: Language,
  nonce: string,
) {
  const say = createSpeaker(language);
  const title = say("oauth.refused");
  return renderPage(
    title,
    html`<h1>${title}</h1>
      <p>${say(reason)}</p>`,
    language,
    nonce,
  );
}

function renderPage(title: string, body: Html, language: Language, nonce: string): string {
  const head = html`<meta charset="utf-8" /> <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" /> <title>${title}</title>`;
  return `<!doctype html>\n<html lang="${language}"><head>${head.html}<style nonce="${nonce}">${STYLE}</style></head><body><main>${body.html}</main></body></html>\n`;
}

function createSpeaker(language: Language) {
  return (key: MessageKey, params?: MessageParameters): string => formatMessage(language, createMessage(key, params));
}

function truncate(text: string, maxChars: number): string {
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
