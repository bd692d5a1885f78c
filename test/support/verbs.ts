// The first words of exported functions: verbs that people search for, and words that begin predicates and conversions.

export const VERBS: ReadonlySet<string> = new Set(
  `
  abort add advance answer append apply ask assemble assert authenticate batch begin build calculate call cancel catch
  check checkpoint choose claim classify close collect compare compile complete compose compute connect continue copy
  count create decide decode defer define delete derive describe detect digest discard draft draw encode end enqueue ensure
  escape estimate evaluate execute explain export extract fetch filter find flatten focus fold follow format generate get
  group handle hash hold ignore infer initialize instrument issue join layout limit list load localize make map mark mask
  match merge mount normalize observe omit open parenthesize parse pick plan prefetch prepare preserve prompt put quote
  race rank read record redact redeem refine refresh refuse register reject release reload remember remove rename render
  repeat replace replay report request require reset resolve respond restore resume retry round route run sanitize save
  score scroll seal search select send serialize serve set settle show sign skip sleep sort spend split start stop store
  stream strip subscribe sum summarize sweep synthesize throw toggle tokenize translate trim truncate try unseal unwrap
  update use validate verify visit wait withdraw write

  accepts allows are asks belongs can cannot confirms exceeds has is loses makes matches may needs reads requests shares
  starts takes

  from on to with
  `
    .trim()
    .split(/\s+/),
);
