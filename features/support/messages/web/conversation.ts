import * as contract from '#features/support/messages/contract.ts'
import type { Message, Read } from '#features/support/tickets/contract.ts'
import { listenersOf } from '#foundation/web/listeners.ts'
import { isPassing, type AnswerStatus } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { unreached } from '#foundation/web/api/answer.ts'
import { oneAtATime } from './one-at-a-time.ts'

type ConversationHead = { last_seq: number; unanswered_seq: number | null; reads: readonly Read[] }

export type Shown = {
  /** A part of the conversation without holes, in order. */
  messages: readonly Message[]
  /** The number of the newest message of the conversation, shown or not. */
  last_seq: number
  /** The first message that waits for an answer, for staff. */
  unanswered_seq: number | null
  reads: readonly Read[]
  /** True if there are messages before, and after, those shown. */
  older: boolean
  newer: boolean
  /** True at the end, or on the way to it through newer messages; not while the reader is further up. */
  following: boolean
  /** The user's own confirmed messages, shown while others' messages before them are still loading. */
  ahead: readonly Message[]
  /** The start of the unread messages when the conversation was opened; the line stays there during reading. */
  unread_from: number | undefined
  state: 'loading' | 'ready' | 'failed'
  failure?: AnswerStatus
}

/** The number of messages per call, and the maximum that is kept on the page: more would make scrolling slow. */
const PAGE = 50
const MOST = 400
const RETRY_MS = 2000
/** The time that polling for new messages waits for an answer. */
const PATIENCE_MS = 10_000

/**
 * One conversation as a page shows it: a window without holes over messages numbered from 1. It opens at the first unread one, grows at
 * both ends while the reader scrolls, and drops messages far off on the other side, so that a chat of ten thousand messages is as light as
 * one of four hundred. All content came from the server; nothing is guessed.
 */
export class Conversation {
  readonly chat_id: string
  #shown: Shown = {
    messages: [],
    last_seq: 0,
    unanswered_seq: null,
    reads: [],
    older: false,
    newer: false,
    following: false,
    ahead: [],
    unread_from: undefined,
    state: 'loading',
  }
  readonly #listeners = listenersOf()
  #again = false
  #retry: ReturnType<typeof setTimeout> | undefined

  constructor(chat_id: string) {
    this.chat_id = chat_id
  }

  readonly subscribe = this.#listeners.add

  readonly shown = (): Shown => this.#shown

  /** Loads the last page, or, for a reader with unread messages before it, the part around the first unread one. */
  async open(reader_id: string | undefined): Promise<void> {
    const latest = await this.#load({})
    if (!latest) return
    const read = latest.reads.find(({ user_id }) => user_id === reader_id)?.seq ?? 0
    const first = latest.items[0]?.seq ?? 0
    const around =
      read + 1 >= first
        ? latest
        : await this.#load({ after: String(Math.max(0, read - PAGE / 2)), limit: '100' })
    if (!around) return
    const unread = around.items.find(
      ({ seq, kind, author }) => seq > read && kind !== 'event' && author?.id !== reader_id,
    )
    // Set before the messages are drawn, because the first view starts at this message.
    this.#shown = { ...this.#shown, unread_from: unread?.seq }
    this.#take(around.items, around)
    // A message arrived while the first part was loading.
    if (this.#again) void this.catchUp()
  }

  /** Stops loading: the page is no longer shown. */
  close(): void {
    clearTimeout(this.#retry)
  }

  /** Shows the newest part, from any position of the window. */
  async openEnd(): Promise<void> {
    const latest = await this.#load({})
    if (latest) this.#take(latest.items, latest)
  }

  /** Shows the part around a message, from any position of the window. */
  async openAt(seq: number): Promise<void> {
    const around = await this.#load({ after: String(Math.max(0, seq - PAGE / 2)), limit: '100' })
    if (around) this.#take(around.items, around)
  }

  /**
   * Loads one more page of earlier messages. A window that is scrolled calls it again and again; a call during a run waits for that run.
   */
  readonly loadOlder = oneAtATime(() => this.#addOlder())

  async #addOlder(): Promise<void> {
    const first = this.#shown.messages[0]?.seq
    if (first === undefined || first <= 1) return
    const part = await this.#load({ before: String(first) })
    if (!part || this.#shown.messages[0]?.seq !== first) return
    const messages = [...part.items, ...this.#shown.messages].slice(0, MOST)
    this.#take(messages, part, this.#shown.following && messages.at(-1)?.seq === this.#last())
  }

  /** Loads one more page of later messages; a call during a run waits for that run. */
  readonly loadNewer = oneAtATime(() => this.#addNewer())

  async #addNewer(): Promise<void> {
    const last = this.#last()
    const part = await this.#load({ after: String(last) })
    if (!part || this.#last() !== last) return
    this.#take([...this.#shown.messages, ...part.items].slice(-MOST), part)
  }

  /**
   * Fetches new messages after an event, or when an event may have been missed. A window at the end follows them; elsewhere only `last_seq`
   * grows. Calls during a run lead to one more run, and a failed call is repeated, because no message is announced twice.
   */
  catchUp(): Promise<void> {
    this.#again = true
    clearTimeout(this.#retry)
    return this.#catchingUp()
  }

  readonly #catchingUp = oneAtATime(() => this.#followEnd())

  async #followEnd(): Promise<void> {
    while (this.#again && this.#shown.state === 'ready') {
      this.#again = false
      const last = this.#last()
      const part = await this.#load(
        { after: String(last), limit: this.#shown.following ? '100' : '1' },
        PATIENCE_MS,
      )
      // A reader who was at the end when the connection dropped is led to the new end later, through all messages in between.
      if (!part) return
      const { following, messages } = this.#shown
      if (following && this.#last() === last)
        this.#take([...messages, ...part.items].slice(-MOST), part, following)
      else this.#count(part)
      const moved = part.items.length > 0 || this.#last() !== last
      if (following && this.#shown.newer && moved) this.#again = true
    }
  }

  /**
   * Takes a message of this reader that the server has confirmed. It is shown at the end, also while earlier messages of others are
   * loading.
   */
  add(message: Message): void {
    const { ahead, following, last_seq } = this.#shown
    if (this.#goesOn(message)) return
    if (message.seq > last_seq) this.#set({ last_seq: message.seq, newer: true })
    if (following && message.seq > this.#last()) this.#set({ ahead: [...ahead, message] })
    void this.catchUp()
  }

  /** Takes a message and the read mark of its author from an event. The server is asked only for the messages in between. */
  hear(message: Message, { read, staff }: { read: Read | undefined; staff: boolean }): void {
    const isNew = message.seq > this.#shown.last_seq
    const waits = staff && message.kind === 'comment' && message.author?.is_staff === false
    if (isNew && waits) this.#set({ unanswered_seq: this.#shown.unanswered_seq ?? message.seq })
    if (read) this.hearRead(read)
    if (this.#goesOn(message)) return
    // A reader further up is not moved from there.
    if (this.#shown.state === 'ready' && !this.#shown.following)
      this.#set({ last_seq: Math.max(message.seq, this.#shown.last_seq), newer: true })
    else void this.catchUp()
  }

  /** Fetches a message if an event has brought only its number. */
  hearOf(seq: number): void {
    if (seq > this.#last() || this.#shown.state !== 'ready') void this.catchUp()
  }

  /** Takes a message that is no longer as it was. */
  replace(message: Message): void {
    const put = (messages: readonly Message[]) =>
      messages.map((each) => (each.seq === message.seq ? message : each))
    this.#set({ messages: put(this.#shown.messages), ahead: put(this.#shown.ahead) })
  }

  /** Fetches a message anew if an event has brought only its number. */
  async replaceBy(seq: number): Promise<void> {
    const part = await this.#load({ after: String(seq - 1), limit: '1' })
    for (const message of part?.items ?? []) this.replace(message)
  }

  /** Takes a read mark from an event: a user has read up to a number. */
  hearRead(read: Read): void {
    const { reads } = this.#shown
    const known = reads.find(({ user_id }) => user_id === read.user_id)
    if (known && known.seq >= read.seq) return
    this.#set({ reads: [...reads.filter((each) => each !== known), read] })
  }

  /** Shows a message if it continues the end that is shown; true also if it is shown already. */
  #goesOn(message: Message): boolean {
    const { messages, following, state } = this.#shown
    if (state !== 'ready') return false
    const last = this.#last()
    const isAnswer = message.kind === 'comment' && message.author?.is_staff === true
    if (isAnswer && message.seq > last) this.#set({ unanswered_seq: null })
    if (following && message.seq === last + 1)
      this.#take([...messages, message].slice(-MOST), this.#shown, following)
    return this.#last() >= message.seq
  }

  /** The number of the last message that is shown. */
  #last(): number {
    return this.#shown.messages.at(-1)?.seq ?? 0
  }

  async #load(query: { before?: string; after?: string; limit?: string }, within_ms?: number) {
    const answer = await ask(this.chat_id, { limit: String(PAGE), ...query }, within_ms)
    if (answer.status === 200) return answer.body
    // Loaded messages stay; only a failed first load shows an error instead.
    if (this.#shown.state !== 'ready') this.#set({ state: 'failed', failure: answer })
    else if (isPassing(answer.status)) this.#tryLater()
    return undefined
  }

  #tryLater(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.catchUp(), RETRY_MS * (0.5 + Math.random()))
  }

  /** Shows these messages; `following` means that they reach the end, or are a step on the way to it. */
  #take(messages: readonly Message[], told: ConversationHead, following = false): void {
    const last = messages.at(-1)?.seq ?? 0
    const newest = Math.max(this.#shown.last_seq, told.last_seq, last)
    const newer = last < newest
    const isFollowing = following || !newer
    this.#set({
      messages,
      last_seq: newest,
      unanswered_seq: told.unanswered_seq,
      reads: told.reads,
      older: (messages[0]?.seq ?? 1) > 1,
      newer,
      following: isFollowing,
      ahead: isFollowing ? this.#shown.ahead.filter(({ seq }) => seq > last) : [],
      state: 'ready',
    })
  }

  /** Notes the newest number, the first unanswered one and the read marks; the shown messages stay. */
  #count({ last_seq, unanswered_seq, reads }: ConversationHead): void {
    const newest = Math.max(this.#shown.last_seq, last_seq, this.#last())
    const newer = this.#last() < newest
    this.#set({ last_seq: newest, unanswered_seq, reads, newer, following: this.#shown.following || !newer })
  }

  #set(change: Partial<Shown>): void {
    this.#shown = { ...this.#shown, ...change }
    this.#listeners.notify()
  }
}

/**
 * Gives up after `within_ms`: a proxy that keeps the connection open but forwards nothing would hold this call, and all later calls, for
 * minutes.
 */
async function ask(
  chatId: string,
  query: { before?: string; after?: string; limit?: string },
  within_ms?: number,
) {
  const input = { params: { chatId }, query }
  if (within_ms === undefined) return call(contract.listMessages, input)
  try {
    return await call(contract.listMessages, input, { signal: AbortSignal.timeout(within_ms) })
  } catch {
    return { ...unreached, status: 0 as const }
  }
}
