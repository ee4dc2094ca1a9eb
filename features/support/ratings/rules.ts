/** From the best to the worst. */
export const faces = ['good', 'fair', 'poor'] as const
export type Face = (typeof faces)[number]

/** The longest word with a face, in code points. */
export const LONGEST_WORD = 500

/** For so many days a poor rating is news for staff. */
export const NEWS_DAYS = 7
