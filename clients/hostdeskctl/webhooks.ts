import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { keepPrivately, keptFolder, readKept } from './access.ts'
import type { Context } from './context.ts'
import { eventsOf, type AccountEvent, type Reading } from './events.ts'
import { WrongUse } from './failures.ts'

/** The time in which a receiver answers, as for the webhooks of the product. */
const ANSWERS_MS = 15_000

/** The pauses before an event is sent again. The product repeats for days; whoever writes a receiver wants to go on. */
const PAUSES_S = [1, 3, 10, 30]

/**
 * `webhooks listen --forward URL`: pulls the events of the account and sends each to a program on this machine, signed as a webhook is, so
 * that a receiver can be written without an address that the internet reaches. An event that
 * is refused or gets no answer is sent again before the next one, with the same id, and is given up after five attempts or by 410.
 */
export async function listen(
  context: Context,
  { forward = '', newSecret, ...reading }: Reading & { forward?: string; newSecret?: true },
): Promise<void> {
  if (!URL.canParse(forward) || !/^https?:$/.test(new URL(forward).protocol))
    throw new WrongUse(`--forward takes an address such as http://localhost:8080/hook, and not '${forward}'.`)
  const secret = secretFor(context, newSecret === true)
  context.say(`Events go to ${forward}, signed with the secret ${secret}`)
  for await (const event of eventsOf(context, reading)) {
    for (const pause_s of [0, ...PAUSES_S]) {
      await sleep(pause_s * 1000)
      const outcome = await send(forward, secret, event, context.agent)
      tell(context, event, outcome)
      if (isTaken(outcome) || outcome.status === 410) break
      const next_s = PAUSES_S[PAUSES_S.indexOf(pause_s) + 1]
      context.say(
        next_s === undefined ? `${event.id} is given up.` : `${event.id} is sent again in ${next_s} s.`,
      )
    }
  }
}

function tell(context: Context, { id, seq, type }: AccountEvent, outcome: Outcome): void {
  if (context.isForPerson())
    context.writeLine(`${type.padEnd(22)}  ${String(outcome.status ?? outcome.error)}  ${id}`)
  else context.write({ id, seq, type, ...outcome })
}

const isTaken = ({ status = 0 }: Outcome): boolean => status >= 200 && status < 300

/** Returns the secret of this machine, which stays the same, so that the receiver need not be set up anew. */
function secretFor({ environment }: Context, isNew: boolean): string {
  const file = path.join(keptFolder(environment), 'webhook-secret')
  const kept = isNew ? undefined : readKept(file)?.trim()
  if (kept) return kept
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  keepPrivately(file, `${secret}\n`)
  return secret
}

type Outcome = { status?: number; error?: string; took_ms: number }

async function send(url: string, secret: string, event: AccountEvent, agent: string): Promise<Outcome> {
  const body = JSON.stringify(event)
  const sent_at = new Date()
  const began_ms = performance.now()
  const took = () => Math.round(performance.now() - began_ms)
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWERS_MS),
      headers: {
        'content-type': 'application/json',
        'user-agent': agent,
        'webhook-id': event.id,
        'webhook-timestamp': String(Math.floor(sent_at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(event.id, sent_at, body),
      },
      body,
    })
    await response.body?.cancel()
    return { status: response.status, took_ms: took() }
  } catch (error) {
    const cause: unknown = error instanceof Error ? (error.cause ?? error) : error
    return { error: cause instanceof Error ? cause.message || cause.name : 'no answer', took_ms: took() }
  }
}
