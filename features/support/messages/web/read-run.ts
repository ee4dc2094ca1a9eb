/** How long the end of a message must be in view to count as seen. */
const SEEN_MS = 500

/**
 * The number up to which a reader has really seen a conversation. A message is seen when its end was in view for half a second; the mark
 * rises over an unbroken run of seen ones only. So a jump to the end marks none of the skipped messages.
 */
export class ReadRun {
  #mark: number
  readonly #seen = new Set<number>()
  readonly #since = new Map<number, number>()

  constructor(mark: number) {
    this.#mark = mark
  }

  get mark(): number {
    return this.#mark
  }

  /**
   * Notes the messages whose end is in view at `now` (milliseconds); the caller passes none while the page is not in the foreground.
   * Returns the mark.
   */
  look(in_view: readonly number[], now: number): number {
    const present = new Set(in_view)
    for (const seq of this.#since.keys()) if (!present.has(seq)) this.#since.delete(seq)
    for (const seq of present) {
      const since = this.#since.get(seq) ?? now
      this.#since.set(seq, since)
      if (now - since >= SEEN_MS) this.#seen.add(seq)
    }
    return this.#rise()
  }

  /** Returns how long it takes, from `now` in milliseconds, until the next message counts as seen if it stays in view. */
  msUntilNext(now: number): number {
    const waiting = [...this.#since].filter(([seq]) => !this.#seen.has(seq))
    return Math.min(...waiting.map(([, since]) => since + SEEN_MS - now))
  }

  /** The reader's own messages count as seen. */
  skip(own: readonly number[]): void {
    for (const seq of own) this.#seen.add(seq)
  }

  /**
   * Raises the mark, because the server knows a higher one (from another tab), or because the reader clicked to mark all as read. Returns
   * the mark.
   */
  raiseTo(mark: number): number {
    this.#mark = Math.max(this.#mark, mark)
    return this.#rise()
  }

  #rise(): number {
    while (this.#seen.has(this.#mark + 1)) this.#mark += 1
    return this.#mark
  }
}
