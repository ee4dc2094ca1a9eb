import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { getProfile } from '#features/profile/contract.ts'
import { queryClient, queryFor } from '#foundation/web/api/query.ts'
import { clearSession, seeSession } from '#foundation/web/api/stored-session.ts'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { keepPagesLive, loadReactions } from './live-pages.ts'

function Shown() {
  return useQuery(queryFor(getProfile)).data?.email
}

const asked = async () => (await requests()).filter(({ path }) => path === '/api/users/detail/').length

let stop: () => void = () => undefined
afterEach(() => {
  stop()
  clearSession(seeSession())
})

it('asks again for what events have made old', async () => {
  await resetWire()
  const id = crypto.randomUUID()
  storeUser({ id, display: 'Ann' })
  storeTokens({ access: `x.${btoa(JSON.stringify({ exp: 9_999_999_999 }))}.x`, refresh: 'x' })
  await reply('GET /api/users/detail/', { status: 200, body: { email: 'ann@example.org' } })
  await render(
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>,
  )
  stop = keepPagesLive(await loadReactions())
  await expect.poll(asked).toBe(1)
  // The event comes from another tab, which holds the stream and passes its events on.
  const otherTab = new BroadcastChannel(`live:${id}`)
  // The event is sent until this tab reacts, which may still be opening its end of the channel.
  const askedAfterNews = async () => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
    otherTab.postMessage({ type: 'profile.changed', id: '1', data: {} })
    return asked()
  }
  await expect.poll(askedAfterNews).toBeGreaterThanOrEqual(2)
  otherTab.close()
})
