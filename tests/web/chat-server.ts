import type { Message } from '#features/support/tickets/contract.ts'

export const chat_id = 'c'.repeat(22)
export const me = 'a0000000-0000-4000-8000-000000000001'
export const other = 'a0000000-0000-4000-8000-000000000002'

export const message = (seq: number, author_id = other): Message => ({
  seq,
  client_id: `client-${seq}`,
  kind: 'comment',
  author: { id: author_id, name: 'Somebody', is_staff: author_id === other },
  text: `Message ${seq}`,
  attachments: [],
  created_at: new Date(seq * 1000).toISOString(),
})

type State = {
  said: Message[]
  reads: { user_id: string; name: string; is_staff: boolean; seq: number }[]
  unanswered_seq: number | null
  offline: boolean
  answersLeft: number
  asked: number
}

/** Replaces `fetch` by a server of one chat: it pages by message number as the real server does, and can lose its network. */
export function serverOf(count: number) {
  const said = Array.from({ length: count }, (_, index) => message(index + 1))
  const state: State = {
    said,
    reads: [],
    unanswered_seq: null,
    offline: false,
    answersLeft: Infinity,
    asked: 0,
  }
  globalThis.fetch = async (input) => {
    state.asked += 1
    const given = input instanceof Request ? input.url : String(input)
    if (state.offline || state.answersLeft-- <= 0) throw new TypeError('no network')
    const query = new URL(given, 'http://localhost').searchParams
    const limit = Number(query.get('limit') ?? 25)
    const after = query.get('after')
    const before = query.get('before')
    const items =
      after === null
        ? state.said.filter(({ seq }) => before === null || seq < Number(before)).slice(-limit)
        : state.said.filter(({ seq }) => seq > Number(after)).slice(0, limit)
    const { unanswered_seq, reads } = state
    const body = { items, first_seq: 1, last_seq: state.said.length, unanswered_seq, reads }
    return new Response(JSON.stringify(body), {
      status: 200,
      headers: { 'content-type': 'application/json' },
    })
  }
  return state
}

const realFetch = globalThis.fetch
/** Restores the real `fetch` and clears the storage, for after each test. */
export function stopServer(): void {
  globalThis.fetch = realFetch
  localStorage.clear()
}
