// Shows a JSON value as a foldable tree that can be copied. Folded parts are not rendered, so large values are cheap.

import { memo, useState, type ReactNode } from "react";
import { escapeInvisible, formatEscapedJson } from "../../../lib/escape-invisible.ts";
import { useMessages } from "../../session/language.ts";
import { CopyButton } from "../button.tsx";
import styles from "./json-view.module.css";

const MAX_ENTRIES = 100;
const MAX_CHARS = 500;
/** Values at this depth or with more entries start folded. */
const MAX_OPEN_DEPTH = 2;
const MAX_OPEN_ENTRIES = 20;

/** Undefined is shown as null. Long strings and lists are cut until the reader asks for more. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    <div className={styles["json"]}>
      <div className={styles["copy"]}>
        <CopyJsonButton value={value} />
      </div>
      <JsonNode value={value} depth={0} />
    </div>
  );
}

/** The text is created on demand, because it can be large. */
function CopyJsonButton({ value }: { readonly value: unknown }) {
  return <CopyButton text={() => formatEscapedJson(value ?? null)} />;
}

const JsonNode = memo(function JsonNode({
  value,
  depth,
}: {
  readonly value: unknown;
  readonly depth: number;
}): ReactNode {
  if (typeof value === "string") return <JsonText text={value} />;
  if (value === null || value === undefined) return <span className={styles["null"]}>null</span>;
  if (typeof value === "object") return <JsonTree value={value} depth={depth} />;
  return <span className={styles[typeof value]}>{String(value)}</span>;
});

function JsonText({ text }: { readonly text: string }) {
  const t = useMessages("steps");
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, MAX_CHARS).toWellFormed();
  const lines = shown.split("\n").map(escapeInvisible).join("\n");
  return (
    <>
      <span className={styles["string"]}>&quot;{lines}&quot;</span>
      {shown.length === text.length ? null : (
        <button type="button" className={styles["more"]} onClick={() => setWhole(true)}>
          {t("moreChars", { count: text.length - shown.length })}
        </button>
      )}
    </>
  );
}

function JsonTree({ value, depth }: { readonly value: object; readonly depth: number }) {
  const t = useMessages("steps");
  const isList = Array.isArray(value);
  const count = isList ? value.length : Object.keys(value).length;
  const [isOpen, setOpen] = useState(depth === 0 || (depth < MAX_OPEN_DEPTH && count <= MAX_OPEN_ENTRIES));
  const [begin, end] = isList ? ["[", "]"] : ["{", "}"];
  if (count === 0) return <span className={styles["null"]}>{begin + end}</span>;
  return (
    <>
      <button type="button" className={styles["fold"]} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {begin} {isOpen ? null : `… ${end} `}
        <span className={styles["count"]}>{t("entries", { count })}</span>
      </button>
      {isOpen ? <JsonEntries value={value} isList={isList} depth={depth} /> : null}
      {isOpen ? <span className={styles["null"]}>{end}</span> : null}
    </>
  );
}

function JsonEntries({
  value,
  isList,
  depth,
}: {
  readonly value: object;
  readonly isList: boolean;
  readonly depth: number;
}) {
  const t = useMessages("steps");
  const [limit, setLimit] = useState(MAX_ENTRIES);
  const entries = Object.entries(value) as [string, unknown][];
  return (
    <ul className={styles["entries"]}>
      {entries.slice(0, limit).map(([name, entry]) => (
        <li key={name}>
          {isList ? null : <span className={styles["key"]}>{escapeInvisible(name)}: </span>}
          <JsonNode value={entry} depth={depth + 1} />
        </li>
      ))}
      {entries.length <= limit ? null : (
        <li>
          <button type="button" className={styles["more"]} onClick={() => setLimit(limit + MAX_ENTRIES * 5)}>
            {t("moreEntries", { count: entries.length - limit })}
          </button>
        </li>
      )}
    </ul>
  );
}
