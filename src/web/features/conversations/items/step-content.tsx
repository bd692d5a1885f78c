// Shows the content of a step as text or JSON that can be copied. A long text is cut until the reader asks for the
// rest.

import { useState } from "react";
import { escapeInvisible } from "../../../../lib/escape-invisible.ts";
import { useMessages } from "../../../session/language.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { JsonView } from "../../../ui/json-view.tsx";
import styles from "./steps.module.css";
import type { StepValue } from "../state/step-values.ts";

const MAX_CHARS = 4_000;

export function StepContent({ content }: { readonly content: StepValue }) {
  return content.kind === "json" ? <JsonView value={content.value} /> : <StepText text={content.text} />;
}

function StepText({ text }: { readonly text: string }) {
  const t = useMessages("steps");
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, MAX_CHARS).toWellFormed();
  const rest = text.length - shown.length;
  return (
    <div className={styles["text"]}>
      <div className={styles["copy"]}>
        <CopyButton text={text} />
      </div>
      {shown.split("\n").map(escapeInvisible).join("\n")}
      {rest === 0 ? null : (
        <button type="button" className={styles["more"]} onClick={() => setWhole(true)}>
          {t("moreChars", { count: rest })}
        </button>
      )}
    </div>
  );
}
