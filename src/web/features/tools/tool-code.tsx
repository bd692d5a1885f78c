import { lazy, Suspense, useState } from "react";
import { useMessages } from "../../session/language.ts";
import { CopyButton } from "../../ui/button.tsx";
import styles from "./tool-code.module.css";

const HighlightedCode = lazy(() =>
  import("./highlighted-code.tsx").then(({ HighlightedCode: HighlightedCodeComponent }) => ({
    default: HighlightedCodeComponent,
  })),
);

/** The source of a tool, with optional line numbers and a copy button; plain until the highlighter is loaded. */
export function ToolCode({ code }: { readonly code: string }) {
  const t = useMessages("tools");
  const [isNumbered, setNumbered] = useState(false);
  const numbers = code
    .replace(/\n$/, "")
    .split("\n")
    .map((_, index) => index + 1)
    .join("\n");
  return (
    <div className={styles["code"]}>
      <div className={styles["bar"]}>
        <label className={styles["choice"]}>
          <input type="checkbox" checked={isNumbered} onChange={(event) => setNumbered(event.target.checked)} />
          {t("lineNumbers")}
        </label>
        <CopyButton text={code} label={t("copyCode")} />
      </div>
      {/* Wide code scrolls and must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles["scroll"]} role="region" aria-label={t("code")} tabIndex={0}>
        {isNumbered ? (
          <pre className={styles["numbers"]} aria-hidden>
            {numbers}
          </pre>
        ) : null}
        <pre className={styles["text"]}>
          <code>
            <Suspense fallback={code}>
              <HighlightedCode code={code} />
            </Suspense>
          </code>
        </pre>
      </div>
    </div>
  );
}
