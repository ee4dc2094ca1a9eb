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

/**
 * Opens a ticket with a picture for this customer, and writes a message with a secret that counts as come by mail. Returns the parameters by
 * which paths name all that.
 */
export async function ticketWithAll(test: TestApp, customer: Person): Promise<Record<string, string>> {
  const headers = bearer(customer)
  const post = async (path: string, body: object) => {
    const sent = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }
    return (await fetch(test.url + path, { ...sent, body: JSON.stringify(body) })).json()
  }
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(await picture())]), 'theirs.png')
  const uploaded = await fetch(`${test.url}/api/attachments/`, { method: 'POST', headers, body: form })
  const { id: attachmentId } = (await uploaded.json()) as { id: string }
  const opening = { subject: 'Slow', message: 'It is slow.', topic: 'technical' }
  const opened = await post('/api/tickets/', { ...opening, attachment_ids: [attachmentId] })
  const { id: chatId } = opened as { id: string }
  const written = { client_id: randomUUID(), text: 'The password.', secret: 'copper-raincoat' }
  const { seq } = (await post(`/api/tickets/${chatId}/secrets/`, written)) as { seq: number }
  const admin = await superuserOf(test)
  await admin.query(
    `insert into received_mails (digest, way, state, decided_at, subject, whole_text, user_id, ticket_id, message_seq)
     select sha256($1::text::bytea), 'pipe', 'posted', now(), 'Slow', 'It is slow.', user_id, id, $2
     from tickets where public_id = $1`,
    [chatId, seq],
  )
  await admin.end()
  return { chatId, attachmentId, seq: String(seq) }
}

/** Puts calls that close tickets last, since a closed ticket keeps no secret to open. */
export const closingLast = <One extends { contract: { path: string } }>(all: readonly One[]): One[] => {
  const closes = ({ contract }: One) => Number(contract.path.endsWith('/closure/'))
  return all.toSorted((one, other) => closes(one) - closes(other))
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
