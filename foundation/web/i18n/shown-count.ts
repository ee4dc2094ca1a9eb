/** How many messages are unread. The server counts no further than somewhere, and nobody needs to know more exactly. */
export const shownCount = (count: number): string => (count >= 100 ? '99+' : String(count))
