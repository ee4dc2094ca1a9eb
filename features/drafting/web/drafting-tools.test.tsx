import { QueryClientProvider } from '@tanstack/react-query'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { queryClient } from '#foundation/web/api/query.ts'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { render } from '#tests/web/render.tsx'
import { reply, requests, resetWire } from '#tests/web/wire.ts'
import { DraftingTools } from './drafting-tools.tsx'

const id = 'c'.repeat(22)
const path = `POST /api/staff/tickets/${id}/drafted-texts/`
const insert = vi.fn<(words: string) => void>()
const writing = { insert, onMark: () => () => undefined }

function Shown() {
  return (
    <QueryClientProvider client={queryClient}>
      <DraftingTools ticket={ticket} writing={writing} />
    </QueryClientProvider>
  )
}
const ticket: Ticket = { ...({} as Ticket), id, topic: 'technical' }

beforeEach(async () => {
  queryClient.clear()
  insert.mockReset()
  setLocale('en')
  await resetWire()
})

const on = (topics: readonly string[]) =>
  reply('GET /api/staff/drafting/', { status: 200, body: { is_on: true, topics } })

it('puts a draft with its sources into the composer, and sends nothing', async () => {
  await on(['technical'])
  const sources = [{ title: 'Connect a server', url: 'http://localhost/help/en/servers/connect-a-server/' }]
  await reply(path, { status: 200, body: { text: 'Restart the agent.', sources } })
  await render(<Shown />)
  await userEvent.click(page.getByRole('button', { name: 'Draft' }))
  await expect
    .poll(() => insert.mock.calls)
    .toEqual([
      ['Restart the agent.\n\n[Connect a server](http://localhost/help/en/servers/connect-a-server/)'],
    ])
  const sent = (await requests()).filter(({ method }) => method === 'POST')
  expect(sent.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ kind: 'draft', language: 'en' }])
})

it('shows a summary beside the ticket, as text', async () => {
  await on(['technical'])
  await reply(path, { status: 200, body: { text: '<b>Wants</b> a refund.', sources: [] } })
  await render(<Shown />)
  await userEvent.click(page.getByRole('button', { name: 'Sum up' }))
  await expect.element(page.getByText('<b>Wants</b> a refund.')).toBeVisible()
  expect(insert).not.toHaveBeenCalled()
})
