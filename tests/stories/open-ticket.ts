import type { Page } from '@playwright/test'
import { callApi } from './call-api.ts'

/** Opens a ticket by a call. Returns its public id. */
export async function openTicket(page: Page, token: string): Promise<string> {
  const data = { subject: 'Files', message: 'Look', topic: 'technical' }
  return (await callApi<{ id: string }>(page, 'POST', '/api/tickets/', { token, data })).id
}
