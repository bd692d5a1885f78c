// Where links and pictures of a text may lead.

export type Destination = {
  readonly href: string;
  /** The host, when the text of the link speaks of another one or the address hides it. */
  readonly host: string | null;
};

/** As much of a picture as a text may carry in itself. */
const MAX_PICTURE_CHARS = 100_000;
const PICTURE = /^data:image\/(png|jpeg|gif|webp|avif);base64,[a-z\d+/=]+$/i;
const DOMAIN = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}]{2,}|\d+\.\d+\.\d+\.\d+/gu;

/** Where a link may go: the web, mail, and paths of this place. Null: it is no link. */
export function destinationOf(href: string, text: string): Destination | null {
  if (isPath(href)) return { href, host: null };
  const url = parsed(href);
  if (url === null) return null;
  if (url.protocol === "mailto:") return { href: url.href, host: hintFor(addressOf(url), text) };
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const isHiding = url.username !== "" || url.password !== "" || url.hostname.includes("xn--");
  return { href: url.href, host: isHiding ? url.host : hintFor(url.host, text) };
}

/** What may be shown as a picture without asking anybody else for it. */
export function pictureOf(src: string): string | null {
  if (isPath(src)) return src;
  return src.length <= MAX_PICTURE_CHARS && PICTURE.test(src) ? src : null;
}

/** One slash: two of them, or a backslash, would begin a host. */
function isPath(href: string): boolean {
  return /^\/(?![/\\])/.test(href) && !/[\s\\\p{C}]/u.test(href);
}

function parsed(href: string): URL | null {
  return /^(https?|mailto):/i.test(href) && URL.canParse(href) ? new URL(href) : null;
}

function addressOf(url: URL): string {
  return url.pathname.split("@").at(-1) ?? "";
}

function hintFor(host: string, text: string): string | null {
  const named = text.normalize("NFKC").match(DOMAIN) ?? [];
  return named.every((name) => isSameHost(name, host)) ? null : host;
}

function isSameHost(name: string, host: string): boolean {
  const bare = (value: string) =>
    value
      .toLowerCase()
      .replace(/^www\./, "")
      .replace(/:\d+$/, "");
  return bare(name) === bare(host);
}
