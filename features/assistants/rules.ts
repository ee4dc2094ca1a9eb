/** The most proposals of one account that wait. */
export const MOST_WAITING = 50

/** The most proposals that a page shows. */
export const MOST_SHOWN = 50
