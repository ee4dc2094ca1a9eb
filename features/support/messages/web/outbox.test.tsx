import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { closeTicket } from './hooks.ts'
import { forget, keep, outgoing, type Outgoing } from './outbox.ts'
import { flushOutbox, onDelivered } from './sender.ts'

const chat_id = 'c'.repeat(22)
const entry = (text: string, client_id = crypto.randomUUID()): Outgoing => ({
  chat_id,
  client_id,
  kind: 'comment',
  text,
  attachments: [],
  written_at: '2026-11-21T12:00:00.000Z',
})

type Sent = { client_id: string; text: string }
const realFetch = globalThis.fetch
let sent: Sent[] = []
let answer: (body: Sent) => Response | Promise<Response>

const said = ({ client_id, text }: Sent) =>
  Response.json(
    { seq: 1, client_id, kind: 'comment', author: null, text, attachments: [], created_at: '' },
    { status: 201 },
  )

beforeEach(() => {
  localStorage.clear()
  storeUser({ id: 'a0000000-0000-4000-8000-000000000001', display: 'Anna' })
  storeTokens({ access: `x.${btoa(JSON.stringify({ exp: Date.now() / 1000 + 900 }))}.x`, refresh: 'r' })
  sent = []
  answer = said
  globalThis.fetch = async (_input, request) => {
    const body = JSON.parse(request?.body as string) as Sent
    sent.push(body)
    return answer(body)
  }
})
afterEach(() => {
  localStorage.clear()
  globalThis.fetch = realFetch
})

describe('a written message is sent, or still there', () => {
  it('goes out in order and is forgotten once the server has it', async () => {
    const delivered: string[] = []
    const stop = onDelivered(({ text }) => delivered.push(text))
    for (const text of ['one', 'two', 'three']) keep(entry(text))
    flushOutbox()
    flushOutbox()
    await expect.poll(() => outgoing()).toEqual([])
    expect(sent.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
    expect(delivered).toEqual(['one', 'two', 'three'])
    stop()
  })

  // Seen red: the ticket was closed at once, and the message, which came after that, opened it again.
  it('K-03 goes out before the ticket is closed that it was written for', async () => {
    let arrive = () => {}
    const arrived = new Promise<void>((resolve) => (arrive = resolve))
    const came: string[] = []
    globalThis.fetch = async (_input, request) => {
      if (request?.body === undefined) came.push('the closure')
      else {
        await arrived
        came.push('the message')
        return said(JSON.parse(request.body as string) as Sent)
      }
      return Response.json({ errors: [] }, { status: 404 })
    }
    keep(entry('one more thing'))
    flushOutbox()
    const closed = closeTicket({ id: chat_id })
    arrive()
    await closed
    expect(came).toEqual(['the message', 'the closure'])
  })

  // Seen red: the outbox waited for an attempt without a network, and missed the event that the network was back.
  it('goes out at once when the network is back, also while an attempt from before still waits', async () => {
    // The pause before another attempt, of at least 500 ms, never ends here.
    const wait = globalThis.setTimeout
    const pauses = vi.spyOn(globalThis, 'setTimeout')
    pauses.mockImplementation((work, ms = 0, ...rest) =>
      ms < 500 ? wait(work, ms, ...rest) : wait(() => {}),
    )
    onTestFinished(() => pauses.mockRestore())
    let fail!: (error: Error) => void
    answer = () => new Promise((_, reject) => (fail = reject))
    keep(entry('one'))
    flushOutbox()
    await expect.poll(() => sent.length).toBe(1)
    answer = said
    flushOutbox()
    fail(new TypeError('no network'))
    await expect.poll(() => outgoing()).toEqual([])
  })

  // Seen red: the refusal brought back a discarded message.
  it('that is discarded while being sent does not come back, even if the server then refuses it', async () => {
    let refuse!: () => void
    answer = () =>
      new Promise((resolve) => {
        refuse = () => resolve(Response.json({ errors: [{ code: 'ticket_closed' }] }, { status: 409 }))
      })
    const one = entry('never mind')
    keep(one)
    flushOutbox()
    await expect.poll(() => sent.length).toBe(1)
    forget(one.client_id)
    answer = said
    keep(entry('next'))
    refuse()
    await expect.poll(() => sent.map(({ text }) => text)).toEqual(['never mind', 'next'])
    await expect.poll(() => outgoing()).toEqual([])
  })

  it('waits without a network, and still goes out before a message written later', async () => {
    let offline = true
    answer = (body) => {
      if (offline) throw new TypeError('no network')
      return said(body)
    }
    keep(entry('first'))
    flushOutbox()
    await expect.poll(() => sent).toHaveLength(1)
    keep(entry('second'))
    expect(outgoing().map(({ text }) => text)).toEqual(['first', 'second'])
    offline = false
    const afterAnotherTry = () => {
      flushOutbox()
      return outgoing()
    }
    await expect.poll(afterAnotherTry).toEqual([])
    expect(sent.map(({ text }) => text)).toEqual(['first', 'first', 'second'])
    // The same client_id both times: on the server it is one message.
    expect(sent[0]?.client_id).toBe(sent[1]?.client_id)
  })

  it('keeps a refused message, with the reason, and goes on with the next', async () => {
    answer = (body) =>
      body.text === 'too late'
        ? Response.json({ status: 409, errors: [{ code: 'ticket_closed', message: '' }] }, { status: 409 })
        : said(body)
    keep(entry('too late'))
    keep(entry('fine'))
    flushOutbox()
    await expect.poll(() => outgoing()).toHaveLength(1)
    expect(outgoing()[0]).toMatchObject({ text: 'too late', refused: [{ code: 'ticket_closed' }] })
    forget(outgoing()[0]!.client_id)
    expect(outgoing()).toEqual([])
  })

  it("does not show one account's words to the next", () => {
    keep(entry('mine'))
    drafts.write(chat_id, 'half a sentence')
    storeUser({ id: 'a0000000-0000-4000-8000-000000000002', display: 'Mikhail' })
    expect(outgoing()).toEqual([])
    expect(drafts.read(chat_id)).toBe('')
  })
})

it('keeps separate drafts for the reply and the note of one chat, and drops a draft that is emptied', () => {
  drafts.write(chat_id, 'half a')
  drafts.write(`${chat_id}:note`, 'between us')
  expect([drafts.read(chat_id), drafts.read(`${chat_id}:note`)]).toEqual(['half a', 'between us'])
  drafts.write(chat_id, '')
  expect(drafts.read(chat_id)).toBe('')
})
