import type { Attachment, Email } from 'postal-mime'

/** A report of a mail server that a mail could not be delivered (RFC 3464). */
export type Returned = {
  /** True if the mail server tries no more. */
  failed: boolean
  /** True if no other mail will reach this address either. */
  final: boolean
  reason: string
  message_id: string
}

/** Reads the report in a mail; undefined for a mail that is none. */
export function returnedIn(email: Email): Returned | undefined {
  const type = email.headers.find(({ key }) => key === 'content-type')?.value ?? ''
  if (!/multipart\/report/iu.test(type) || !/delivery-status/iu.test(type)) return undefined
  const status = wordsIn(email.attachments.find(({ mimeType }) => mimeType === 'message/delivery-status'))
  const failed = fieldIn(status, 'action').toLowerCase() === 'failed'
  const code = fieldIn(status, 'status')
  const said = fieldIn(status, 'diagnostic-code')
  const original = email.attachments.find(({ mimeType }) => /rfc822/u.test(mimeType))
  return {
    failed,
    // A mailbox that is full, or a server that is away, is no reason to write to an address no more.
    final: failed && /^5\.(?!2\.2)/u.test(code),
    reason: `${code} ${said}`.replaceAll(/\s+/gu, ' ').trim().slice(0, 500) || 'returned',
    message_id:
      /^message-id:\s*<([^<>\s]{1,500})>/imu.exec(wordsIn(original) || (email.text ?? ''))?.[1] ?? '',
  }
}

function wordsIn(attachment: Attachment | undefined): string {
  if (!attachment) return ''
  const { content } = attachment
  return typeof content === 'string'
    ? content
    : Buffer.from(new Uint8Array(content)).toString('latin1', 0, 20_000)
}

const fieldIn = (status: string, name: string): string =>
  new RegExp(`^${name}:[ \\t]*(.*(?:\\r?\\n[ \\t].*)*)`, 'imu').exec(status)?.[1]?.trim() ?? ''
