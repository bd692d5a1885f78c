// Shows the content of a step as text or JSON that can be copied.

import { useState } from "react";
import { visible } from "../../protocol/visible.ts";
import { useWords } from "../language.ts";
import { Copy } from "../ui/copy.tsx";
import { Json } from "./json.tsx";
import styles from "./steps.module.css";
import type { Parsed } from "./values.ts";
import { WORDS } from "./words.ts";

const MAX_CHARS = 4_000;

export function Shown({ content }: { readonly content: Parsed }) {
  return content.kind === "json" ? <Json value={content.value} /> : <Text text={content.text} />;
}

function Text({ text }: { readonly text: string }) {
  const say = useWords(WORDS);
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? text : text.slice(0, MAX_CHARS).toWellFormed();
  const rest = text.length - shown.length;
  return (
    <div className={styles["text"]}>
      <div className={styles["copy"]}>
        <Copy text={text} />
      </div>
      {shown.split("\n").map(visible).join("\n")}
      {rest === 0 ? null : (
        <button type="button" className={styles["more"]} onClick={() => setWhole(true)}>
          {say("moreChars", { count: rest })}
        </button>
      )}
    </div>
  );
}
