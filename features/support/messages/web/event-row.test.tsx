import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { Message } from '#features/support/tickets/contract.ts'
import { locales, setLocale } from '#foundation/web/i18n/locale.ts'
import { render } from '#tests/web/render.tsx'
import { EventRow } from './message-row.tsx'

const happened = (code: string, params: Record<string, string>): Message => ({
  seq: 1,
  client_id: crypto.randomUUID(),
  kind: 'event',
  author: { id: 'o', name: 'Olivia Grant', is_staff: true },
  text: '',
  event: { code, params },
  attachments: [],
  created_at: '2026-11-20T10:00:00.000Z',
})

// Seen red: the row threw an error, and the whole conversation disappeared.
it('shows a priority as it came that only a newer server knows', async () => {
  setLocale('en')
  await render(
    <main>
      <EventRow message={happened('priority_changed', { priority: 'blocker' })} />
    </main>,
  )
  expect(page.getByRole('main').elements().at(-1)?.textContent).toContain('set the priority to “blocker”.')
})

it('K-01 names the new priority and the new topic, in each language', async () => {
  const texts: string[] = []
  for (const locale of locales) {
    setLocale(locale)
    await render(
      <main>
        <EventRow message={happened('priority_changed', { priority: 'very_low' })} />
        <EventRow message={happened('topic_changed', { topic: 'finances_sales' })} />
      </main>,
    )
    texts.push(page.getByRole('main').elements().at(-1)!.textContent)
  }
  setLocale('en')
  const [english, german, russian] = texts
  expect(english).toMatch(/set the priority to “Very low”\..*set the topic to “Sales”\./)
  expect(german).toMatch(/Priorität auf „Sehr niedrig“ gesetzt\..*Thema auf „.+“ gesetzt\./)
  expect(russian).toMatch(/Новый приоритет: «Очень низкий» \(Olivia Grant\)\..*Новая категория: «.+»/)
})
