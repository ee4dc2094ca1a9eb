import { acts } from '#texts/acts.js'

const texts: Readonly<Record<string, (() => string) | undefined>> = acts

/** The text of an action, as the audit names it; the name itself where a newer or older release recorded it. */
export const actText = (act: string): string => texts[act]?.() ?? act
