/** Returns a count as a badge shows it: '99+' from 100 on. The server stops counting somewhere above, and nobody needs to know more. */
export const shownCount = (count: number): string => (count >= 100 ? '99+' : String(count))
