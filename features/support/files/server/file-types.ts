import type { ReceivedFile } from '#foundation/server/http/receive-file.ts'
import { isMarkup, signatureOf } from './file-signatures.ts'

const UNKNOWN = 'application/octet-stream'

/**
 * Returns the media type by the bytes; the sender's claim is ignored. Content that a browser might run gets the type of unknown bytes,
 * though it is served as a download only.
 */
export function typeOf({ head, is_text }: Pick<ReceivedFile, 'head' | 'is_text'>): string {
  const found = signatureOf(head)
  if (found) return found
  return is_text && !isMarkup(head) ? 'text/plain' : UNKNOWN
}
