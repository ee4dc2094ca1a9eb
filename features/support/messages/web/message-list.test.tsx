import { useSyncExternalStore } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import '#app/web/styles.css'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { chat_id, me, message, other, serverOf, stopServer } from '#tests/web/chat-server.ts'
import { inAct, render } from '#tests/web/render.tsx'
import { m } from '#texts/messages.js'
import { Conversation } from './conversation.ts'
import { MessageList } from './message-list.tsx'

afterEach(stopServer)

type Read = (seq: number, byOthers: boolean) => void

function Chat({ conversation, onRead }: { conversation: Conversation; onRead: Read }) {
  const shown = useSyncExternalStore(conversation.subscribe, conversation.shown)
  return (
    <div style={{ height: 400, width: 300, display: 'flex', flexDirection: 'column' }}>
      {shown.state === 'ready' ? (
        <MessageList
          conversation={conversation}
          shown={shown}
          waiting={[]}
          reader_id={me}
          by_staff={false}
          typing={undefined}
          onRead={onRead}
        />
      ) : null}
    </div>
  )
}

/** Opens a chat of `count` messages, read up to `read`; each message of the second half has `lines` lines. */
async function open(count: number, { read = count, lines = 1 } = {}) {
  const server = serverOf(count)
  for (const one of server.said)
    if (one.seq > count / 2) one.text = Array.from({ length: lines }, () => one.text).join('\n')
  server.reads.push({ user_id: me, name: '', is_staff: false, seq: read })
  const conversation = new Conversation(chat_id)
  const read_up_to = vi.fn<Read>()
  const page = await render(<Chat conversation={conversation} onRead={read_up_to} />)
  await inAct(() => conversation.open(me))
  const box = page.querySelector<HTMLElement>('[role=log]')!
  const row = (seq: number) => box.querySelector(`[data-seq="${seq}"]`)!
  return {
    server,
    conversation,
    box,
    page,
    read_up_to,
    topOf: (seq: number) => row(seq).getBoundingClientRect().top,
  }
}

async function scroll(box: HTMLElement, top: number): Promise<void> {
  await inAct(async () => {
    box.scrollTo({ top })
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 20)))
  })
}

describe('scrolling', () => {
  // Seen red: if the part removed below was higher than the part added above, the box stayed at its top, and
  // nothing more was loaded.
  it('K-02 leads from the end to the first of a thousand messages', async () => {
    const { conversation, box } = await open(1000, { lines: 6 })
    const first = () => conversation.shown().messages[0]?.seq ?? 0
    for (let turn = 0; first() > 1 && turn < 50; turn += 1) await scroll(box, 0)
    expect(first()).toBe(1)
  }, 60_000)

  // Seen red: removing messages above moved the one being read out of sight.
  it.each(['up', 'down'] as const)(
    'keeps what is in view where it is, on the way %s',
    async (way) => {
      const { conversation, box, topOf } = await open(2000, { read: 1000, lines: 4 })
      for (let turn = 0; turn < 12; turn += 1) {
        const shown = conversation.shown().messages
        const known = way === 'up' ? shown[1]!.seq : shown.at(-2)!.seq
        const moved = way === 'up' ? 300 : box.scrollHeight - box.clientHeight - 300
        box.scrollTop = moved
        const before = topOf(known)
        await scroll(box, moved)
        expect(conversation.shown().messages, 'something came in').not.toBe(shown)
        expect(Math.abs(topOf(known) - before), `after turn ${turn}`).toBeLessThan(2)
      }
    },
    60_000,
  )
})

const LATE_ms = 100

/** A ResizeObserver that reports late, as in a busy browser. */
class LateObserver extends ResizeObserver {
  constructor(tell: ResizeObserverCallback) {
    super((entries, observer) => void setTimeout(() => tell(entries, observer), LATE_ms))
  }
}

describe('at the end', () => {
  // Seen red: the list had opened at the unread messages, and offered for three seconds to jump to the end that was in view.
  it('offers no jump where all messages are in view, unread ones too', async () => {
    const { page } = await open(3, { read: 1 })
    expect(page.textContent).not.toContain(m.messages_to_end())
  })

  it('stays there while others write, and does not move a reader further up', async () => {
    const { server, conversation, box, topOf } = await open(60)
    const say = (seq: number) => {
      server.said.push({ ...server.said[0]!, seq, client_id: `client-${seq}` })
      return inAct(() => conversation.catchUp())
    }
    const below = () => box.scrollHeight - box.clientHeight - box.scrollTop
    expect(below()).toBeLessThan(2)
    await say(61)
    expect(below()).toBeLessThan(2)
    await scroll(box, box.scrollHeight - box.clientHeight - 500)
    const top = topOf(50)
    await say(62)
    expect(Math.abs(topOf(50) - top)).toBeLessThan(2)
  })

  // Seen red: the height that a picture added was taken for scrolling up by the reader, and the next message came out of sight.
  it('stays there where a row grows before the browser reports how far the reader has scrolled', async () => {
    const { box, page } = await open(60)
    window.dispatchEvent(new WheelEvent('wheel'))
    const below = () => box.scrollHeight - box.clientHeight - box.scrollTop
    await inAct(async () => {
      box.scrollTo({ top: box.scrollTop - 20 })
      box.querySelector<HTMLElement>('[data-seq="60"]')!.style.paddingTop = '200px'
      await new Promise((resolve) => setTimeout(resolve, 100))
    })
    await expect.poll(below).toBeLessThan(2)
    expect(page.querySelector('button')).toBeNull()
  })

  // Seen red: the first call of the observer, which reports no change, pulled back a reader who had scrolled
  // meanwhile.
  it('lets go at once when the reader scrolls up, and follows when the box grows', async () => {
    vi.stubGlobal('ResizeObserver', LateObserver)
    const { box } = await open(60)
    const top = box.scrollTop - 500
    await scroll(box, top)
    await new Promise((resolve) => setTimeout(resolve, 2 * LATE_ms))
    expect(box.scrollTop).toBe(top)
    vi.unstubAllGlobals()
    await scroll(box, box.scrollHeight)
    box.parentElement!.parentElement!.style.height = '250px'
    await expect.poll(() => box.scrollHeight - box.clientHeight - box.scrollTop).toBeLessThan(2)
  })
})

it('R-16 shows dates in the language that the reader chooses while the message list is open', async () => {
  const { server, box } = await open(2)
  for (const locale of ['de', 'en'] as const) {
    await inAct(() => setLocale(locale))
    expect(box.textContent).toContain(formatDate(server.said[0]!.created_at))
  }
})

describe('unread messages', () => {
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
  const lookedAt = (is: boolean) => vi.spyOn(document, 'hasFocus').mockReturnValue(is)
  afterEach(() => vi.restoreAllMocks())

  /** The numbers of the messages whose end is in view. */
  const inView = (box: HTMLElement): number[] => {
    const { top, bottom } = box.getBoundingClientRect()
    return [...box.querySelectorAll('[data-seq]')]
      .filter(
        (row) => row.getBoundingClientRect().bottom > top && row.getBoundingClientRect().bottom <= bottom + 8,
      )
      .map((row) => Number(row.getAttribute('data-seq')))
  }

  // Formerly, the page marked all messages as read as soon as the last one was loaded.
  it.each([12, 30, 300])(
    'the list opens at the first of %i, and only messages that were in view count as read',
    async (unread) => {
      lookedAt(true)
      const read = 400 - unread
      const { box, read_up_to, topOf } = await open(400, { read, lines: 2 })
      const line = box.querySelector('[data-unread]')!.getBoundingClientRect()
      expect(line.top - box.getBoundingClientRect().top).toBeLessThan(120)
      expect(topOf(read + 1)).toBeGreaterThan(box.getBoundingClientRect().top)
      await inAct(() => pause(1000))
      const seen = Math.max(...inView(box))
      expect(seen).toBeLessThan(400)
      expect(read_up_to.mock.calls.at(-1)).toEqual([seen, true])
    },
  )

  it('stays at its first position while content above grows late', async () => {
    const { box } = await open(60, { read: 40 })
    const line = () =>
      box.querySelector('[data-unread]')!.getBoundingClientRect().top - box.getBoundingClientRect().top
    const before = line()
    box.querySelector<HTMLElement>('[data-seq="30"]')!.style.paddingTop = '200px'
    // The browser reports the growth in the frame after the first callback, however late its frames come.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    expect(Math.abs(line() - before)).toBeLessThan(2)
  })

  it('is not read by a jump to the end, and shows how much there is above; one click marks it', async () => {
    lookedAt(true)
    const { box, page, read_up_to } = await open(100, { read: 40 })
    await inAct(() => pause(300))
    await inAct(async () => {
      window.dispatchEvent(new WheelEvent('wheel'))
      box.scrollTo({ top: box.scrollHeight })
      await pause(100)
    })
    read_up_to.mockClear()
    await inAct(() => pause(1000))
    expect(read_up_to.mock.calls.filter(([seq]) => seq > 60)).toEqual([])
    expect(page.textContent).toMatch(/\d\d unread messages above/)
    await inAct(async () =>
      [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'Mark read')!.click(),
    )
    expect(read_up_to).toHaveBeenLastCalledWith(100, true)
    expect(page.textContent).not.toMatch(/unread messages? above/)
  })

  it('are reported once they were in view; for the reader’s own messages alone nobody waits', async () => {
    lookedAt(true)
    const { server, conversation, read_up_to } = await open(10)
    const say = (seq: number, author: string) => {
      server.said.push(message(seq, author))
      return inAct(() => conversation.catchUp())
    }
    await say(11, me)
    await expect.poll(() => read_up_to.mock.calls).toEqual([[11, false]])
    await say(12, other)
    await expect.poll(() => read_up_to.mock.calls.slice(1)).toEqual([[12, true]])
  })

  it('leads staff to the first message that waits for an answer, far off the window too, until it was read', async () => {
    lookedAt(false)
    const { server, conversation, box, page, topOf } = await open(600, { read: 0 })
    const leads = () =>
      [...page.querySelectorAll('button')].find(({ textContent }) => textContent === 'First unanswered')
    expect(leads(), 'customers, and where nobody waits').toBeUndefined()
    server.unanswered_seq = 500
    await inAct(() => conversation.openEnd())
    await inAct(() => conversation.openAt(1))
    await inAct(async () => {
      leads()!.click()
      await pause(100)
    })
    expect(Math.abs(topOf(500) - box.getBoundingClientRect().top)).toBeLessThan(100)
    server.reads.splice(0, 1, { ...server.reads[0]!, seq: 500 })
    await inAct(() => conversation.openEnd())
    expect(leads()).toBeUndefined()
  })

  it('is not read while the window has no focus, and the pill counts new messages below', async () => {
    lookedAt(false)
    const { conversation, server, box, page, read_up_to } = await open(60)
    await scroll(box, box.scrollHeight - 900)
    for (const seq of [61, 62, 63]) server.said.push({ ...server.said[0]!, seq, client_id: `client-${seq}` })
    await inAct(() => conversation.catchUp())
    await inAct(() => pause(800))
    expect(page.textContent).toContain('3 new messages')
    expect(read_up_to).not.toHaveBeenCalled()
  })
})

// This test failed while a colleague's reading counted as that of the other side.
it('a message is seen when the other side has read it', async () => {
  serverOf(5).said.push(message(6, me))
  const conversation = new Conversation(chat_id)
  const page = await render(<Chat conversation={conversation} onRead={() => {}} />)
  await inAct(() => conversation.open(me))
  const read = (user_id: string, is_staff: boolean) =>
    inAct(() => conversation.hearRead({ user_id, name: '', is_staff, seq: 6 }))
  await read('a colleague', false)
  expect(page.textContent).toContain(m.messages_sent())
  await read('the other side', true)
  expect(page.textContent).toContain(m.messages_seen())
})
