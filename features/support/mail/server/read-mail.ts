import { Worker } from 'node:worker_threads'
import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import { droppedReasons, MOST_TEXT } from '#features/support/mail/rules.ts'
import type { Facts } from './facts.ts'

const facts = z.object({
  from: z.optional(z.object({ address: z.string(), name: z.string() })),
  subject: z.string(),
  message_id: z.string(),
  recipients: z.array(z.string()),
  named: z.array(z.string()),
  automatic: z.optional(z.enum(droppedReasons)),
  too_large: z.boolean(),
  forged: z.boolean(),
})

const body = z.object({
  text: z.object({ whole: z.string(), answer: z.string() }),
  files: z.array(z.object({ name: z.string(), bytes: z.instanceof(Uint8Array) })),
  returned: z.optional(
    z.object({ failed: z.boolean(), final: z.boolean(), reason: z.string(), message_id: z.string() }),
  ),
})

type MailBody = z.infer<typeof body>
/** A mail that was taken apart. Each part is undefined where it could not be read within the limits. */
export type ReadMail = { facts: Facts | undefined; body: MailBody | undefined }

const MOST_MS = 15_000
const MOST_FILES = 100

/**
 * Takes a mail apart in a thread of its own, with bounded memory and time. The attack is a mail of ten thousand parts, of parts within parts, or
 * of words that a pattern never ends on: it ends the thread, and the mail is held.
 */
export async function readMail(
  { config }: Pick<App, 'config'>,
  bytes: Uint8Array,
  most_ms = MOST_MS,
): Promise<ReadMail> {
  const thread = new Worker(new URL('mail-thread.ts', import.meta.url), {
    workerData: { bytes, authServer: config.mailIn?.authServer },
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  const told: Record<string, unknown> = {}
  const limit = setTimeout(() => void thread.terminate(), most_ms)
  try {
    await new Promise<void>((resolve) => {
      thread.on('message', (part: unknown) => {
        Object.assign(told, part)
        if ('body' in told) resolve()
      })
      thread.once('error', () => resolve())
      thread.once('exit', () => resolve())
    })
  } finally {
    clearTimeout(limit)
    await thread.terminate()
  }
  const [head, rest] = [facts.safeParse(told['facts']), body.safeParse(told['body'])]
  return {
    facts: head.success ? asFacts(head.data) : undefined,
    body: rest.success && rest.data.files.length <= MOST_FILES ? shortened(rest.data) : undefined,
  }
}

const asFacts = (head: z.infer<typeof facts>): Facts => ({
  ...head,
  from: head.from,
  automatic: head.automatic,
})

const shortened = ({ text, files, returned }: MailBody): MailBody => ({
  text: { whole: cut(text.whole, MOST_TEXT), answer: cut(text.answer, MOST_TEXT) },
  files,
  returned,
})

/** Cuts a text without parting a letter. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/\p{Cs}$/u, '')
