import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
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
  markRead: () => ({ seq: 1 }),
}
