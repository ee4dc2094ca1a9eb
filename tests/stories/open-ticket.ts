import type { Page } from '@playwright/test'

/** Opens a ticket by a call. Returns its public id. */
export async function openTicket(page: Page, token: string): Promise<string> {
  const reply = await page.request.post('/api/tickets/', {
    headers: { authorization: `Bearer ${token}` },
    data: { subject: 'Files', message: 'Look', topic: 'technical' },
  })
  return ((await reply.json()) as { id: string }).id
}
