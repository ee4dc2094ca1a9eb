/** How long a canned reply may be (code points). As many as a message holds. */
export const lengths = { title: 100, text: 20_000 } as const

/** The most replies: all are read at once, so there is an end to them. */
export const MOST_REPLIES = 500

/** Viewers of a ticket announce themselves this often; a viewer unseen for longer than two of these has left. */
export const PRESENCE_MS = 25_000

/**
 * A canned reply may contain the names of the customer and of the writer; an unknown placeholder stays as it
 * was written.
 */
export function fillReply(text: string, names: Readonly<Record<'customer' | 'me', string>>): string {
  return text.replaceAll(/\{(customer|me)\}/g, (blank, who: 'customer' | 'me') => names[who] || blank)
}
