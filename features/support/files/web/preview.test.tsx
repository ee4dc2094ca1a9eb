import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { queryClient } from '#foundation/web/api/query.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { usePreview } from './preview.ts'

afterEach(resetWire)

function Place({ id }: { id: string }) {
  const { watch } = usePreview(id)
  return <div ref={watch} style={{ height: 40 }} />
}

const asked = async () => (await requests()).map(({ path }) => path)

// Seen red with `rootMargin` alone, which widens the window but not the box in which a conversation scrolls: pictures were fetched only in
// view.
it('a picture is fetched before it is scrolled into a conversation, and not long before', async () => {
  await reply('GET /api/attachments/near/preview', { status: 404 })
  await reply('GET /api/attachments/far/preview', { status: 404 })
  await render(
    <QueryClientProvider client={queryClient}>
      <div style={{ height: 100, overflow: 'auto' }}>
        <div style={{ height: 300 }} />
        <Place id="near" />
        <div style={{ height: 2000 }} />
        <Place id="far" />
      </div>
    </QueryClientProvider>,
  )
  await expect.poll(asked).toContain('/api/attachments/near/preview')
  expect(await asked()).not.toContain('/api/attachments/far/preview')
})
