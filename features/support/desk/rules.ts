/** The maximum lengths of a canned reply, of the name of a view, and of the note of an absence, in code points. The text may be as long as a message. */
export const lengths = { title: 100, text: 20_000, view: 60, absence: 200 } as const

/** The maximum number of canned replies. There is a limit because one call reads all of them. */
export const MOST_REPLIES = 500

/** The interval at which viewers of a ticket announce themselves. A viewer who is silent for more than two intervals has left. */
export const PRESENCE_MS = 25_000

/**
 * Fills the names of the customer and of the writer into a canned reply. A placeholder that is unknown, or whose name is empty, stays as it
 * was written.
 */
export function fillReply(text: string, names: Readonly<Record<'customer' | 'me', string>>): string {
  return text.replaceAll(/\{(customer|me)\}/g, (blank, who: 'customer' | 'me') => names[who] || blank)
}

/** The most tickets that one act is done to. */
export const MOST_TICKETS = 100

/** The time for which acts on several tickets can be undone by their author. */
export const UNDO_MINUTES = 10

/** The tabs that the server knows; without one a list has the tickets of all of them but for spam. */
export const deskTabs = ['incoming', 'processing', 'waiting', 'closed', 'spam', 'snoozed'] as const

/** The maximum number of views for all staff, and of each member's own. */
export const MOST_VIEWS = 30
