import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { must } from '#foundation/must.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import type { TestApp } from '#tests/harness/test-app.ts'
import { bearer, type Person } from './people.ts'

const picture = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })
    .png()
    .toBuffer()

/** Opens a ticket with a picture for this customer. Returns the parameters by which paths name both. */
export async function ticketWithPicture(url: string, customer: Person): Promise<Record<string, string>> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await picture())]), 'theirs.png')
  const headers = bearer(customer)
  const uploaded = await fetch(`${url}/api/attachments/`, { method: 'POST', headers, body: form })
  const { id: attachmentId } = (await uploaded.json()) as { id: string }
  const opened = await fetch(`${url}/api/tickets/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      subject: 'Slow',
      message: 'It is slow.',
      topic: 'technical',
      attachment_ids: [attachmentId],
    }),
  })
  const { id: chatId } = (await opened.json()) as { id: string }
  return { chatId, attachmentId }
}

/** The bodies of calls of tickets that need one. */
export const bodies: Record<string, () => object> = {
  postMessage: () => ({ client_id: randomUUID(), text: 'It is fast again.' }),
  postSecret: () => ({ client_id: randomUUID(), text: '', secret: 'copper-raincoat' }),
  redactMessage: () => ({}),
  markRead: () => ({ seq: 1 }),
}

/** Inserts a payment of the bank that is booked to this account. Returns its id. */
export async function bookedLine(test: TestApp, user_id: string): Promise<string> {
  const admin = await superuserOf(test)
  const { rows } = await admin.query<{ id: string }>(
    `with file as (
       insert into bank_files (sha256, account_iban, statement_id, currency, kind)
       values (sha256($1::text::bytea), 'DE02120300000000202051', $1, 'EUR', 'csv') returning id)
     insert into bank_lines (file_id, account_iban, booked_on, amount, currency, name, iban, text, end_to_end, key, nth, place, match, state, user_id)
     select id, 'DE02120300000000202051', date '2026-01-01', 100, 'EUR', 'A', '', '', '', sha256($1::text::bytea), 0, 1, 'exact', 'ignored', $2::uuid
     from file returning id`,
    [randomUUID(), user_id],
  )
  await admin.end()
  return must(rows[0]).id
}
