import PostalMime from 'postal-mime'
import { textOf } from './answer-text.ts'
import { factsOf } from './facts.ts'
import { headOf } from './head.ts'
import { returnedIn } from './returned.ts'

const limits = { maxNestingDepth: 30, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 2 }

/** Reads the headers alone, before anything that may end the thread. */
export const readHead = async (bytes: Uint8Array, authServer: string | undefined) =>
  factsOf(await PostalMime.parse(headOf(bytes), limits), { authServer })

/** Reads the text, the files, and whether the mail is a report about one that came back. */
export async function readBody(bytes: Uint8Array) {
  const email = await PostalMime.parse(bytes, { ...limits, forceRfc822Attachments: true })
  const returned = returnedIn(email)
  const text = textOf(email)
  const files = email.attachments
    .filter(({ related, disposition }) => !(related && disposition !== 'attachment'))
    .map(({ filename, mimeType, content }) => ({
      name: filename ?? (mimeType === 'message/rfc822' ? 'mail.eml' : 'file'),
      bytes: typeof content === 'string' ? Buffer.from(content) : new Uint8Array(content),
    }))
    .filter((file) => file.bytes.length > 0)
  return { text, files, returned }
}
