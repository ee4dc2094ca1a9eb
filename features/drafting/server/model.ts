import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'

export type ChatMessage = { role: 'system' | 'user'; content: string }

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).check(z.minLength(1)),
})

// The answers that one process waits for: a slow model holds up nothing else.
const MOST_AT_ONCE = 4
const MOST_TOKENS = 1500
let running = 0

/**
 * Returns the answer of the operator's model, or why there is none. The request offers the model no tool, and of the answer its text alone is
 * read: whatever a message says, nothing can follow from it.
 */
export async function complete(
  app: App,
  messages: readonly ChatMessage[],
): Promise<{ text: string } | { failure: string }> {
  const { assistant } = app.config
  if (!assistant) return { failure: 'off' }
  if (running >= MOST_AT_ONCE) return { failure: 'busy' }
  running += 1
  try {
    const { url, key, model, egress } = assistant
    const outcome = await egress.post(`${url}/chat/completions`, {
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key && { authorization: `Bearer ${key.reveal()}` }),
      },
      body: JSON.stringify({ model, messages, temperature: 0.2, max_tokens: MOST_TOKENS, stream: false }),
    })
    if ('failure' in outcome) return { failure: outcome.failure }
    return outcome.answer.status === 200
      ? textIn(outcome.answer.body)
      : { failure: `status ${outcome.answer.status}` }
  } finally {
    running -= 1
  }
}

function textIn(body: string): { text: string } | { failure: string } {
  try {
    const read = completion.safeParse(JSON.parse(body))
    const text = read.data?.choices[0]?.message.content ?? ''
    return text === '' ? { failure: 'no text' } : { text }
  } catch {
    return { failure: 'no JSON' }
  }
}
