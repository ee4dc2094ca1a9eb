import { QueryClientProvider } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { formatBytes } from '#foundation/web/i18n/format.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { m } from '#texts/messages.js'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { MessageFiles } from './message-files.tsx'
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

// Seen red: a preview that could not be fetched stayed an empty box, and a click showed another one.
it('a picture without a preview, and one with a preview that cannot be fetched, is a named file to download', async () => {
  await reply('GET /api/attachments/gone/preview', { status: 404 })
  const file = { type: 'image/heic', size: 2_000_000 }
  await render(
    <QueryClientProvider client={queryClient}>
      <MessageFiles
        attachments={[
          { ...file, id: 'bare', name: 'IMG_0001.HEIC', preview: null },
          { ...file, id: 'gone', name: 'IMG_0002.HEIC', preview: { width: 48, height: 64 } },
        ]}
      />
    </QueryClientProvider>,
  )
  for (const name of ['IMG_0001.HEIC', 'IMG_0002.HEIC']) {
    const title = m.files_download({ name, size: formatBytes(file.size) })
    await expect.poll(() => page.getByTitle(title).element().textContent).toMatch(name.slice(0, 8))
  }
})
