/** The kinds of what happens, in the order of the settings. Some, of `staffKinds`, concern members of staff alone. */
export const kinds = ['reply', 'mention', 'assigned', 'alert', 'approval', 'payment', 'announcement'] as const
export type Kind = (typeof kinds)[number]

const staffKinds: readonly Kind[] = ['mention', 'assigned', 'approval']

/** The kinds that may reach this person. */
export const kindsFor = (isStaff: boolean): readonly Kind[] =>
  isStaff ? kinds : kinds.filter((kind) => !staffKinds.includes(kind))

/** A notification is kept for so many days, and the last `MOST_KEPT` of a person. */
export const KEPT_DAYS = 90
export const MOST_KEPT = 500

/** So many browsers of a person are told. */
export const MOST_BROWSERS = 20

/** The most links of unread things that a page knows at once; those behind them are marked by "all read". */
export const MOST_LINKS = 100
