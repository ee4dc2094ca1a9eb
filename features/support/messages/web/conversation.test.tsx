import fc from 'fast-check'
import { describe, expect, it, afterEach } from 'vitest'
import { chat_id, me, message, other, serverOf, stopServer } from '#tests/web/chat-server.ts'
import { Conversation } from './conversation.ts'

afterEach(stopServer)

const numbers = (conversation: Conversation) => conversation.shown().messages.map(({ seq }) => seq)
const isWhole = (seqs: readonly number[]) =>
  seqs.every((seq, index) => index === 0 || seq === seqs[index - 1]! + 1)

describe('where a conversation opens', () => {
  it('at the end when everything was read', async () => {
    const server = serverOf(120)
    server.reads.push({ user_id: me, name: '', is_staff: false, seq: 120 })
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    expect(numbers(conversation).at(-1)).toBe(120)
    expect(conversation.shown()).toMatchObject({ older: true, newer: false, unread_from: undefined })
  })

  it('at the first unread message, however far back', async () => {
    const server = serverOf(10_000)
    server.reads.push({ user_id: me, name: '', is_staff: false, seq: 4_000 })
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    expect(conversation.shown()).toMatchObject({
      unread_from: 4_001,
      older: true,
      newer: true,
      last_seq: 10_000,
    })
    expect(numbers(conversation)).toContain(4_001)
    // The window opens with two calls, not four hundred.
    expect(server.asked).toBe(2)
  })
})

describe('scrolling through a conversation', () => {
  // Seen red: each frame near an end sent a call for the same page, so some five calls fetched one page.
  it.each(['loadOlder', 'loadNewer'] as const)(
    'asks once for a page that is on its way (%s)',
    async (load) => {
      const server = serverOf(1000)
      server.reads.push({ user_id: me, name: '', is_staff: false, seq: 500 })
      const conversation = new Conversation(chat_id)
      await conversation.open(me)
      const [asked, { length }] = [server.asked, numbers(conversation)]
      await Promise.all([conversation[load](), conversation[load](), conversation[load]()])
      expect([server.asked - asked, numbers(conversation).length - length]).toEqual([1, 50])
      await conversation[load]()
      expect([server.asked - asked, numbers(conversation).length - length]).toEqual([2, 100])
    },
  )
})

describe('events while a conversation is open', () => {
  it('follows the end, and only counts while the window is elsewhere', async () => {
    const server = serverOf(60)
    server.reads.push({ user_id: me, name: '', is_staff: false, seq: 60 })
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    server.said.push(message(61), message(62))
    await conversation.catchUp()
    expect(numbers(conversation).at(-1)).toBe(62)
  })

  it('after an hour without a network everything is there, in order, once', async () => {
    const server = serverOf(30)
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    server.offline = true
    for (let seq = 31; seq <= 350; seq += 1) server.said.push(message(seq))
    await conversation.catchUp()
    expect(numbers(conversation).at(-1)).toBe(30)
    server.offline = false
    await conversation.catchUp()
    expect(numbers(conversation)).toEqual(Array.from({ length: 350 }, (_, index) => index + 1))
  })

  // Seen red: the message was out of the outbox and not yet in the conversation, so for a moment it was nowhere.
  it('shows our own confirmed message while earlier messages of others are still loading', async () => {
    const server = serverOf(30)
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    for (let seq = 31; seq <= 351; seq += 1) server.said.push(message(seq, seq === 351 ? me : other))
    const seen = () => {
      const { messages, ahead } = conversation.shown()
      return [...messages, ...ahead].some(({ seq }) => seq === 351)
    }
    let missing = 0
    conversation.subscribe(() => (missing += seen() ? 0 : 1))
    conversation.add(message(351, me))
    missing = 0
    await conversation.catchUp()
    expect([missing, conversation.shown().ahead, conversation.shown().newer]).toEqual([0, [], false])
    expect(numbers(conversation)).toEqual(Array.from({ length: 351 }, (_, index) => index + 1))
  })

  // Seen red: the answer counted our own message as one beyond the window, and the window never reached the end again.
  it('keeps to the end when our own message is confirmed during a question', async () => {
    const server = serverOf(10)
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    server.said.push(message(11, me))
    const asking = conversation.catchUp()
    conversation.add(message(11, me))
    await asking
    server.said.push(message(12))
    await conversation.catchUp()
    expect(numbers(conversation).at(-1)).toBe(12)
    expect(conversation.shown()).toMatchObject({ newer: false, following: true })
  })

  // Seen red: the event came while the first part was loading, and nothing loaded the message afterwards.
  it('shows a message that is sent while the conversation is still opening', async () => {
    const server = serverOf(3)
    const conversation = new Conversation(chat_id)
    const opening = conversation.open(me)
    await Promise.resolve()
    await conversation.catchUp()
    server.said.push(message(4))
    await opening
    await expect.poll(() => numbers(conversation)).toEqual([1, 2, 3, 4])
  })

  // Seen red: the event had come, the server was unreachable for the call, and the stream sent nothing more.
  it('tries again by itself if the server was unreachable after the event of a message', async () => {
    const server = serverOf(3)
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    server.said.push(message(4))
    server.offline = true
    await conversation.catchUp()
    server.offline = false
    await expect.poll(() => numbers(conversation)).toEqual([1, 2, 3, 4])
    conversation.close()
  })

  // Seen red: the second call found the window short of the end, took that for a choice of the reader, and left it there.
  it('reaches the end even if the network goes again on the way', async () => {
    const server = serverOf(30)
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    for (let seq = 31; seq <= 350; seq += 1) server.said.push(message(seq))
    server.answersLeft = 2
    await conversation.catchUp()
    expect(conversation.shown()).toMatchObject({ newer: true })
    server.answersLeft = Infinity
    await conversation.catchUp()
    expect(numbers(conversation).at(-1)).toBe(350)
  })

  it('shows our own message once, whether its answer or its event comes first', async () => {
    const server = serverOf(3)
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    const own = message(4, me)
    server.said.push(own)
    await conversation.catchUp()
    conversation.add(own)
    conversation.add(message(5, me))
    server.said.push(message(5, me))
    await conversation.catchUp()
    expect(numbers(conversation)).toEqual([1, 2, 3, 4, 5])
  })

  // Seen red: a call made before our own message was confirmed returned after it, and the window no longer counted as being at the end.
  it('stays at the end when our own message is confirmed while it asks', async () => {
    const server = serverOf(3)
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    server.said.push(message(4, me))
    const asking = conversation.catchUp()
    conversation.add(message(4, me))
    await asking
    expect(conversation.shown()).toMatchObject({ newer: false, last_seq: 4 })
    server.said.push(message(5))
    await conversation.catchUp()
    expect(numbers(conversation)).toEqual([1, 2, 3, 4, 5])
  })

  it('shows an error only when there was nothing to show yet', async () => {
    const server = serverOf(3)
    server.offline = true
    const conversation = new Conversation(chat_id)
    await conversation.open(me)
    expect(conversation.shown().state).toBe('failed')
    server.offline = false
    await conversation.open(me)
    expect(conversation.shown().state).toBe('ready')
  })
})

it('rule 29: after any sequence of actions the window has no hole, no duplicate, and never exceeds its bound', async () => {
  type Act = 'older' | 'newer' | 'end' | 'said' | 'catchUp' | 'cut' | 'back'
  const acts = fc.array(fc.constantFrom<Act>('older', 'newer', 'end', 'said', 'catchUp', 'cut', 'back'), {
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 900 }), fc.nat(900), acts, async (count, read, steps) => {
      const server = serverOf(count)
      server.reads.push({ user_id: me, name: '', is_staff: false, seq: Math.min(read, count) })
      const conversation = new Conversation(chat_id)
      await conversation.open(me)
      for (const step of steps) {
        if (step === 'cut') server.offline = true
        if (step === 'back') server.offline = false
        if (step === 'said') server.said.push(message(server.said.length + 1))
        const running = {
          older: () => conversation.loadOlder(),
          newer: () => conversation.loadNewer(),
          end: () => conversation.openEnd(),
          catchUp: () => conversation.catchUp(),
        }[step as 'older']
        await running?.()
        const seqs = numbers(conversation)
        expect(isWhole(seqs), seqs.join(' ')).toBe(true)
        expect(seqs.length).toBeLessThanOrEqual(400)
      }
      server.offline = false
      await conversation.openEnd()
      conversation.close()
      expect(numbers(conversation).at(-1) ?? 0).toBe(server.said.length)
    }),
    { numRuns: 60 },
  )
}, 60_000)
