import * as contract from '#features/tickets/contract.ts'
import type { Message } from '#features/tickets/contract.ts'
import type { AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'

type Reads = Extract<Awaited<ReturnType<typeof ask>>, { status: 200 }>['body']['reads']

export type Shown = {
  /** A part of the conversation without holes, in order. */
  messages: readonly Message[]
  /** The number of the newest message there is. */
  last_seq: number
  reads: Reads
  /** Whether anything stands before and behind what is shown. */
  older: boolean
  newer: boolean
  /** Where the unread messages began when the conversation was opened; the line stays there while one reads. */
  unread_from: number | undefined
  state: 'loading' | 'ready' | 'failed'
  failure?: AnswerStatus
}

/** How many messages come at a time, and how many are kept on the page: more would make scrolling heavy. */
const PAGE = 50
const MOST = 400
const RETRY_MS = 2000

/**
 * One conversation as a page shows it: a window without holes over messages numbered from 1. It opens at the first unread
 * one, grows at both ends while one scrolls, and drops what lies far off on the other side, so that a chat of ten
 * thousand messages is as light as one of four hundred. What it shows came from the server; nothing is guessed.
 */
export class Conversation {
  readonly chat_id: string
  #shown: Shown = {
    messages: [],
    last_seq: 0,
    reads: [],
    older: false,
    newer: false,
    unread_from: undefined,
    state: 'loading',
  }
  readonly #listeners = new Set<() => void>()
  #catchingUp: Promise<void> | undefined
  #again = false
  /** Whether the way to the end, begun at the end and broken off by the network, is still to be gone. */
  #following = false
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(chat_id: string) {
    this.chat_id = chat_id
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly shown = (): Shown => this.#shown

  /** Loads the last page, or where somebody has not read so far the part around the first unread message. */
  async open(reader_id: string | undefined): Promise<void> {
    const latest = await this.#load({})
    if (!latest) return
    const read = latest.reads.find(({ user_id }) => user_id === reader_id)?.seq ?? 0
    const first = latest.items[0]?.seq ?? 0
    if (read + 1 >= first || latest.items.length === 0) this.#take(latest.items, latest)
    else await this.#openAt(Math.max(0, read - PAGE / 2))
    const unread = this.#shown.messages.find(({ seq, author }) => seq > read && author?.id !== reader_id)
    this.#set({ unread_from: unread?.seq })
    // Something was said while the first part was on its way.
    if (this.#again) void this.catchUp()
  }

  /** Nothing is loaded any more that nobody looks at. */
  close(): void {
    clearTimeout(this.#retry)
  }

  async #openAt(after: number): Promise<void> {
    const part = await this.#load({ after: String(after), limit: '100' })
    if (part) this.#take(part.items, part)
  }

  /** Shows the newest part, wherever the window was. */
  async openEnd(): Promise<void> {
    const latest = await this.#load({})
    if (latest) this.#take(latest.items, latest)
  }

  /** One more page of what was said before. */
  async loadOlder(): Promise<void> {
    const first = this.#shown.messages[0]?.seq
    if (first === undefined || first <= 1) return
    const part = await this.#load({ before: String(first) })
    if (!part || this.#shown.messages[0]?.seq !== first) return
    this.#take([...part.items, ...this.#shown.messages].slice(0, MOST), part)
  }

  /** One more page of what was said later. */
  async loadNewer(): Promise<void> {
    const last = this.#shown.messages.at(-1)?.seq ?? 0
    const part = await this.#load({ after: String(last) })
    if (!part || (this.#shown.messages.at(-1)?.seq ?? 0) !== last) return
    this.#take([...this.#shown.messages, ...part.items].slice(-MOST), part)
  }

  /**
   * Something new was said, or may have been. Where the window is at the end it follows; elsewhere only the number of the
   * newest grows. Calls during a call are one more call, and what fails is asked again: nobody tells of a message twice.
   */
  catchUp(): Promise<void> {
    this.#again = true
    clearTimeout(this.#retry)
    this.#catchingUp ??= this.#followEnd().finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  async #followEnd(): Promise<void> {
    // Whoever was at the end when the network went is led to the new end, through everything in between.
    const following = this.#following || !this.#shown.newer
    this.#following = false
    while (this.#again && this.#shown.state === 'ready') {
      this.#again = false
      const last = this.#shown.messages.at(-1)?.seq ?? 0
      const part = await this.#load({ after: String(last), limit: following ? '100' : '1' })
      if (!part) {
        this.#following = following
        return
      }
      const shownNow = this.#shown.messages.at(-1)?.seq ?? 0
      if (!following) {
        this.#set({ last_seq: part.last_seq, reads: part.reads, newer: shownNow < part.last_seq })
        continue
      }
      if (shownNow !== last) {
        // Our own message was confirmed meanwhile: asked again from there.
        this.#again = true
        continue
      }
      this.#take([...this.#shown.messages, ...part.items].slice(-MOST), part)
      if (this.#shown.newer && part.items.length > 0) this.#again = true
    }
  }

  /** The server has confirmed a message of ours; it stands at the end if nothing else came in between. */
  add(message: Message): void {
    const { messages, newer, last_seq } = this.#shown
    if (message.seq > last_seq) this.#set({ last_seq: message.seq })
    if (!newer && message.seq === (messages.at(-1)?.seq ?? 0) + 1)
      this.#take([...messages, message].slice(-MOST), this.#shown)
    else void this.catchUp()
  }

  async #load(query: { before?: string; after?: string; limit?: string }) {
    const answer = await ask(this.chat_id, { limit: String(PAGE), ...query })
    if (answer.status === 200) return answer.body
    // What is shown stays; only a first look that failed has nothing to stand on.
    if (this.#shown.state !== 'ready') this.#set({ state: 'failed', failure: answer })
    else if (isPassing(answer.status)) this.#tryLater()
    return undefined
  }

  #tryLater(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.catchUp(), RETRY_MS * (0.5 + Math.random()))
  }

  #take(messages: readonly Message[], { last_seq, reads }: { last_seq: number; reads: Reads }): void {
    const newest = Math.max(last_seq, messages.at(-1)?.seq ?? 0)
    this.#set({
      messages,
      last_seq: newest,
      reads,
      older: (messages[0]?.seq ?? 1) > 1,
      newer: (messages.at(-1)?.seq ?? 0) < newest,
      state: 'ready',
    })
  }

  #set(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change }
    for (const listener of this.#listeners) listener()
  }
}

const isPassing = (status: number): boolean => status === 0 || status === 429 || status >= 500

const ask = (chatId: string, query: { before?: string; after?: string; limit?: string }) =>
  call(contract.listMessages, { params: { chatId }, query })
