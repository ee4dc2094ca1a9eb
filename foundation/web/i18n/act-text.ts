import { acts } from '#texts/acts.js'

const texts: Readonly<Record<string, (() => string) | undefined>> = acts

/** What was done, as the audit names it; the name itself of an act that a newer or older release recorded. */
export const actText = (act: string): string => texts[act]?.() ?? act
