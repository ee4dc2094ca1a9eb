import { acts } from '#texts/acts.js'

const texts: Readonly<Record<string, (() => string) | undefined>> = acts

/** Returns the text of an action that the audit names; the name itself if this release does not know it. */
export const actText = (act: string): string => texts[act]?.() ?? act
