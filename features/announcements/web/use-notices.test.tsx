import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { page } from 'vitest/browser'
import { ANNOUNCEMENT_CHANGED, type Notice } from '#features/announcements/contract.ts'
import { storeTokens, storeUser } from '#tests/web/stored.ts'
import { startLive } from '#foundation/web/realtime/live.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { useNotices } from './use-notices.ts'

const notice = (title: string): Notice => ({
  id: 'a1b2c3d4-0000-4000-8000-000000000001',
  revision: 1,
  kind: 'incident',
  title: { en: title, de: title, ru: title },
  text: { en: title, de: title, ru: title },
  starts_at: '2026-01-02T03:04:05.000Z',
  ends_at: null,
  published_at: '2026-01-02T03:04:05.000Z',
  resolved_at: null,
  resolution: null,
})

function Titles() {
  return <p>{useNotices().map(({ title }) => title.en)}</p>
}

beforeEach(async () => {
  performance.clearResourceTimings()
  await resetWire()
})

// Seen red: the older answer replaced the newer one.
it('an incident that is published while notices load stays, though they were read before it', async () => {
  const answer = (title: string) => ({ status: 200, body: { items: [notice(title)] } })
  await reply('GET /api/announcements/', { ...answer('before'), hold_ms: 1500 }, answer('after'))
  storeUser({ id: 'ann', display: 'Ann' })
  storeTokens({ access: 'access', refresh: 'refresh' })
  onTestFinished(startLive())
  await render(<Titles />)
  const asked = async () => (await requests()).filter(({ path }) => path.startsWith('/api/announcements/'))
  await expect.poll(asked).toHaveLength(1)
  const other_tab = new BroadcastChannel('live:ann')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel reaches its own origin only
  other_tab.postMessage({ type: ANNOUNCEMENT_CHANGED, data: {} })
  await expect.element(page.getByText('after')).toBeVisible()
  await expect.poll(() => performance.getEntriesByType('resource').filter(isOfNotices).length).toBe(2)
  await expect.element(page.getByText('after')).toBeVisible()
  other_tab.close()
})

const isOfNotices = ({ name }: PerformanceEntry) => name.includes('/api/announcements/')
