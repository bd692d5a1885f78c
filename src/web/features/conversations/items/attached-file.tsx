import { FileDown } from "lucide-react";
import { resolveLink } from "../../../ui/markdown/link-destinations.ts";
import { escapeHiddenControls } from "../../../../lib/escape-invisible.ts";
import { useFormatter } from "../../../ui/format/formatter.ts";
import { useMessages } from "../../../session/language.ts";
import { Button } from "../../../ui/button.tsx";
import styles from "./steps.module.css";
import { getStringField, type JsonFields } from "../state/step-values.ts";
import { decodeBase64 } from "../../../../lib/base64.ts";

/** The lifetime of the object URL in ms; the download must start within it. */
const URL_LIFETIME_MS = 60_000;

/**
 * A file that an agent attached: a button that downloads its bytes or a link to its URL, or a note if neither is
 * usable. The page never renders the content.
 */
export function AttachedFile({ fields }: { readonly fields: JsonFields }) {
  const t = useMessages("steps");
  const format = useFormatter();
  const encoded = getStringField(fields, "bytes");
  const type = escapeHiddenControls(getStringField(fields, "media_type"));
  const name = sanitizeFileName(getStringField(fields, "name")) || t("file");
  const size = Math.floor((encoded.length * 3) / 4);
  return (
    <section className={styles["card"]} aria-label={t("file")}>
      <div className={styles["head"]}>
        <FileDown size={16} aria-hidden />
        <strong>{name}</strong>
        <span className="quiet">
          {[type, encoded === "" ? "" : format.bytes(size)].filter((part) => part !== "").join(" · ")}
        </span>
      </div>
      {encoded === "" ? (
        <ExternalFileLink url={getStringField(fields, "url")} />
      ) : (
        <DownloadButton name={name} encoded={encoded} />
      )}
    </section>
  );
}

function DownloadButton({ name, encoded }: { readonly name: string; readonly encoded: string }) {
  const t = useMessages("steps");
  const bytes = decodeBytes(encoded);
  if (bytes === null) return <p className="quiet">{t("fileUnavailable")}</p>;
  const download = () => {
    // As plain bytes, so that no browser executes the content if the URL is opened.
    const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS);
  };
  return (
    <Button className={styles["link"] ?? ""} onClick={download}>
      {t("download", { name })}
    </Button>
  );
}

function ExternalFileLink({ url }: { readonly url: string }) {
  const t = useMessages("steps");
  const destination = resolveLink(url, "");
  if (destination === null) return <p className="quiet">{t("fileUnavailable")}</p>;
  const host = URL.canParse(destination.href) ? new URL(destination.href).host : destination.href;
  return (
    <a className={styles["link"]} href={destination.href} target="_blank" rel="noopener noreferrer nofollow">
      {t("openFile", { host })}
    </a>
  );
}

// Decodes and names the files in components.

const MAX_NAME_CHARS = 120;

/** Decodes base64; null if the text is invalid. */
export function decodeBytes(encoded: string): Uint8Array<ArrayBuffer> | null {
  try {
    return decodeBase64(encoded);
  } catch {
    return null;
  }
}

/**
 * Removes folders and leading dots from a file name, replaces reserved characters by `_`, escapes invisible characters,
 * and keeps the last 120 UTF-16 units. May return "".
 */
export function sanitizeFileName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? "";
  return escapeHiddenControls(last)
    .replaceAll(/[<>:"|?*\\]/g, "_")
    .replace(/^\.+/, "")
    .trim()
    .slice(-MAX_NAME_CHARS)
    .toWellFormed();
}
