/** The thread that takes a mail apart: it gets the bytes, answers with the headers, then with the text and the files, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import PostalMime from 'postal-mime'
import * as z from 'zod/mini'
import { textOf } from './answer-text.ts'
import { factsOf } from './facts.ts'
import { headOf } from './head.ts'
import { returnedIn } from './returned.ts'

const { bytes, authServer } = z.parse(
  z.object({ bytes: z.instanceof(Uint8Array), authServer: z.optional(z.string()) }),
  workerData,
)
const limits = { maxNestingDepth: 30, maxHeadersSize: 512 * 1024, maxRfc822NestingDepth: 2 }

// The headers alone, before anything that may end this thread.
const head = await PostalMime.parse(headOf(bytes), limits)
parentPort?.postMessage({ facts: factsOf(head, { authServer }) })

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
parentPort?.postMessage({ body: { text, files, returned } })
