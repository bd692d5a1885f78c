// Decides which links and images of a Markdown text are allowed.

type LinkDestination = {
  readonly href: string;
  /** Shown behind the link if its text names another host or the address disguises its host; else null. */
  readonly host: string | null;
};

/** Largest data URL of an inline image, in UTF-16 units. */
const MAX_IMAGE_CHARS = 100_000;
const DATA_IMAGE = /^data:image\/(png|jpeg|gif|webp|avif);base64,[a-z\d+/=]+$/i;
const DOMAIN = /(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}]{2,}|\d+\.\d+\.\d+\.\d+/gu;

/**
 * Returns the destination of a link: a path of this origin, or a normalized http(s) or mailto URL. Null for any other
 * address: the link must be shown as plain text. `text` is the visible text of the link.
 */
export function resolveLink(href: string, text: string): LinkDestination | null {
  if (isPath(href)) return { href, host: null };
  const url = parseUrl(href);
  if (url === null) return null;
  if (url.protocol === "mailto:") return { href: url.href, host: getHiddenHost(getMailHost(url), text) };
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  const isHiding = url.username !== "" || url.password !== "" || url.hostname.includes("xn--");
  return { href: url.href, host: isHiding ? url.host : getHiddenHost(url.host, text) };
}

/**
 * Returns `src` if the image loads without a request to another host: a path of this origin, or an inline image of at
 * most `MAX_IMAGE_CHARS`. Else null.
 */
export function resolveImage(src: string): string | null {
  if (isPath(src)) return src;
  return src.length <= MAX_IMAGE_CHARS && DATA_IMAGE.test(src) ? src : null;
}

/** A single leading slash: `//` and `/\` would start a host. */
function isPath(href: string): boolean {
  return /^\/(?![/\\])/.test(href) && !/[\s\\\p{C}]/u.test(href);
}

function parseUrl(href: string): URL | null {
  return /^(https?|mailto):/i.test(href) && URL.canParse(href) ? new URL(href) : null;
}

function getMailHost(url: URL): string {
  return url.pathname.split("@").at(-1) ?? "";
}

function getHiddenHost(host: string, text: string): string | null {
  const namedHosts = text.normalize("NFKC").match(DOMAIN) ?? [];
  return namedHosts.every((name) => isSameHost(name, host)) ? null : host;
}

function isSameHost(name: string, host: string): boolean {
  const normalizeHost = (value: string) =>
    value
      .toLowerCase()
      .replace(/^www\./, "")
      .replace(/:\d+$/, "");
  return normalizeHost(name) === normalizeHost(host);
}
