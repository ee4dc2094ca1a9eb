import { listMessages } from '#features/support/messages/contract.ts'
import http from 'node:http'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { tellPresence } from '#features/support/desk/contract.ts'
import { PRESENCE_MS } from '#features/support/desk/rules.ts'
import { must } from '#foundation/must.ts'
import { events } from '#foundation/live-contract.ts'
import { MESSAGE_CREATED, type LiveBody, type Message } from '#features/support/tickets/contract.ts'
import type { Client } from '#tests/harness/client.ts'

/** A message that a reader received: its number in the chat, and the time of its arrival (ms of this process). */
export type Got = { client_id: string; seq: number; at: number }

/** The sum of an event id's parts: the number of the person's topic and, for staff, of the topic of all staff. An event raises one by 1. */
const sumOf = (id: string): number => id.split('.').reduce((sum, part) => sum + Number(part.slice(1)), 0)

/**
 * Follows the live stream as the browser does (foundation/web/realtime, features/support/messages/web/conversation.ts): resumes by the last
 * id after 0.5 to 10 s, takes the messages that come in their events, and asks for the missing messages where an event brings none.
 */
export class StreamReader {
  readonly got: Got[] = []
  /** The times at which events of comments arrived, by chat (ms of this process). */
  readonly heard = new Map<string, number[]>()
  /** Errors of a stream: a number of the stream or of the chat that was left out or came twice, a `resync`. */
  readonly faults: string[] = []
  /** The times without a stream (ms of this process); `to` is Infinity while the stream is down. */
  readonly breaks: { from: number; to: number }[] = []
  open = false
  readonly chat_id: string
  readonly #client: Client
  readonly #asStaff: boolean
  #last_id: string | undefined
  #last_seq: number
  #current = new AbortController()
  #stopped = false
  #again = false
  #catchingUp: Promise<void> | undefined

  /** `asStaff`: the reader announces, as the page does, that a member of staff views the chat. */
  constructor(client: Client, chat_id: string, last_seq: number, { asStaff = false } = {}) {
    this.#client = client
    this.chat_id = chat_id
    this.#last_seq = last_seq
    this.#asStaff = asStaff
  }

  get last_seq(): number {
    return this.#last_seq
  }

  async follow(): Promise<void> {
    const presence = this.#asStaff ? everyNowAndThen(PRESENCE_MS, () => void this.#look()) : undefined
    for (let failures = 0; !this.#stopped;) {
      const was_open = await this.#openOnce().catch(() => this.open)
      this.open = false
      failures = was_open ? 0 : failures + 1
      if (!this.#stopped) await sleep(Math.min(10_000, 1000 * 1.3 ** failures) * (0.5 + Math.random() / 2))
    }
    presence?.()
  }

  /** A lost announcement does no harm: the next one comes soon. */
  async #look(): Promise<void> {
    const said = { params: { chatId: this.chat_id }, body: { state: 'here' } } as const
    await this.#client.call(tellPresence, said).catch(() => {})
  }

  /** The time when the first stream after a kill was open; 0 while none is. */
  backAt(killed: number): number {
    return this.breaks.find(({ to }) => to > killed && to !== Infinity)?.to ?? 0
  }

  /** Breaks this reader's connection, as a lost network does. */
  cut(): void {
    this.#current.abort()
  }

  stop(): void {
    this.#stopped = true
    this.cut()
  }

  async #openOnce(): Promise<boolean> {
    this.#current = new AbortController()
    const response = await answerOf(this.#client.url + events.path, {
      headers: {
        authorization: `Bearer ${this.#client.access_token}`,
        ...(this.#last_id === undefined ? {} : { 'last-event-id': this.#last_id }),
      },
      agent: false,
      signal: this.#current.signal,
    })
    if (response.statusCode !== 200) {
      response.destroy()
      return false
    }
    const broken = this.breaks.at(-1)
    if (broken && broken.to === Infinity) broken.to = performance.now()
    else if (this.#last_id === undefined) this.breaks.push({ from: 0, to: performance.now() })
    this.open = true
    if (this.#asStaff) void this.#look()
    try {
      let rest = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) this.#hear(block)
      })
      await finished(response)
      return true
    } finally {
      this.breaks.push({ from: performance.now(), to: Infinity })
    }
  }

  #hear(block: string): void {
    const [, id, type, data] = /^id: (\S+)\nevent: (\S+)\ndata: (.*)$/m.exec(block) ?? []
    if (id === undefined) return
    if (type === 'resync') this.faults.push('resync')
    else if (this.#last_id !== undefined && sumOf(id) !== sumOf(this.#last_id) + 1)
      this.faults.push(`event ${id} after ${this.#last_id}`)
    this.#last_id = id
    if (type !== MESSAGE_CREATED) return
    const { chat_id, kind, body } = JSON.parse(must(data)) as {
      chat_id: string
      kind: string
      body?: LiveBody
    }
    if (kind === 'comment') {
      const times = this.heard.get(chat_id) ?? []
      times.push(performance.now())
      this.heard.set(chat_id, times)
    }
    if (chat_id !== this.chat_id) return
    if (body?.message?.seq === this.#last_seq + 1 && !this.#catchingUp) this.#take(body.message)
    else if (body?.message?.seq !== this.#last_seq) void this.catchUp()
  }

  #take({ seq, client_id }: Message): void {
    if (seq !== this.#last_seq + 1) this.faults.push(`message ${seq} after ${this.#last_seq}`)
    this.#last_seq = seq
    this.got.push({ client_id, seq, at: performance.now() })
  }

  /** Reads the messages behind the last one; all calls during a read lead to one more read. */
  catchUp(): Promise<void> {
    this.#again = true
    this.#catchingUp ??= this.#readOn().finally(() => {
      this.#catchingUp = undefined
    })
    return this.#catchingUp
  }

  async #readOn(): Promise<void> {
    while (this.#again) {
      this.#again = false
      const items = await this.#ask().catch(() => undefined)
      if (!items) {
        await sleep(1000 + Math.random() * 1000)
        this.#again = true
        continue
      }
      for (const message of items) this.#take(message)
      this.#again ||= items.length === 100
    }
  }

  async #ask(): Promise<readonly Message[] | undefined> {
    const reply = await this.#client.call(listMessages, {
      params: { chatId: this.chat_id },
      query: { after: String(this.#last_seq), limit: '100' },
    })
    return reply.status === 200 ? reply.body.items : undefined
  }
}

/** Repeats `act` at intervals with a random start, since people do not read in step. Returns a function that stops it. */
function everyNowAndThen(interval_ms: number, act: () => void): () => void {
  let timer = setTimeout(() => {
    act()
    timer = setInterval(act, interval_ms)
  }, Math.random() * interval_ms)
  return () => clearInterval(timer)
}

/** Sends a GET by node:http. The readers of `fetch` take several times as much processor time, which the measured server needs. */
const answerOf = (url: string, options: http.RequestOptions): Promise<http.IncomingMessage> =>
  new Promise((resolve, reject) => http.get(url, options, resolve).on('error', reject))
