import { setTimeout as sleep } from 'node:timers/promises'
import { exitCodes } from '#foundation/exit-codes.ts'
import type { Context } from './context.ts'
import { Failure, TryLater, WrongUse } from './failures.ts'
import { fieldIn } from './json.ts'
import { isPage } from './pages.ts'
import { plainJson, plainText } from './plain-text.ts'

/** An event of the account, as a webhook has it for its body. */
export type AccountEvent = { id: string; seq: number; type: string; occurred_at: string; data: unknown }

/** Options of the commands that read events: kinds, the number behind which they begin, and the seconds between two questions. */
export type Reading = { type?: string; after?: string; every?: string }

const PATH = '/api/events/history/'

/**
 * Reads the events of the account one after the other, and never ends: after the newest it asks again. It begins behind `after`, or with
 * what happens from now on. An installation that is down for a while is asked until it answers. Throws Failure where it refuses.
 */
export async function* eventsOf(
  context: Context,
  { type, after, every = '2' }: Reading,
): AsyncGenerator<AccountEvent> {
  const pause_s = Number(every)
  if (!(pause_s >= 1 && pause_s <= 3600))
    throw new WrongUse(`--every takes seconds, 1 to 3600, and not '${every}'.`)
  if (after !== undefined && !/^\d{1,15}$/.test(after))
    throw new WrongUse(`--after takes the number of an event, and not '${after}'.`)
  const kinds = type === undefined ? {} : { type }
  let at = after ?? String((await pageOf(context, { ...kinds, limit: '1' })).newest)
  for (;;) {
    const page = await patiently(context, { ...kinds, after: at, limit: '100' })
    if (page) {
      yield* page.items
      at = String(page.next_after)
    }
    if (page?.has_more !== true) await sleep(pause_s * 1000)
  }
}

type Page = { items: AccountEvent[]; next_after: number; has_more: boolean; newest: number }

/** Returns the next page; undefined while nobody answers, which is said once for each time. */
async function patiently(context: Context, query: Record<string, string>): Promise<Page | undefined> {
  try {
    return await pageOf(context, query)
  } catch (error) {
    if (!(error instanceof TryLater) && !(error instanceof Failure && error.code === exitCodes.tryLater))
      throw error
    context.say(`${error.message.split('\n')[0] ?? ''} – asked again.`)
    return undefined
  }
}

async function pageOf(context: Context, query: Record<string, string>): Promise<Page> {
  const page = await context.askJson({ method: 'GET', path: PATH, query })
  if (!isOfEvents(page)) throw new Failure(`${PATH} answered something else than events.`, exitCodes.failed)
  return page
}

const isOfEvents = (answer: unknown): answer is Page =>
  isPage(answer) && typeof fieldIn(answer, 'next_after') === 'number'

/** `events follow`: a line for each event as it comes, as JSON in a pipe. */
export async function follow(context: Context, reading: Reading): Promise<void> {
  for await (const event of eventsOf(context, reading))
    context.writeLine(context.isForPerson() ? lineOf(event) : plainJson(JSON.stringify(event)))
}

/** Returns an event as one line: its time, number and kind, and what it is about. */
function lineOf({ seq, type, occurred_at, data }: AccountEvent): string {
  const facts = ['name', 'number', 'subject', 'code', 'status']
    .map((name) => fieldIn(data, name))
    .filter((fact) => typeof fact === 'string' || typeof fact === 'number')
  const time = new Date(occurred_at).toLocaleString('sv-SE')
  return plainText([time, String(seq).padStart(6), type.padEnd(22), ...facts.slice(0, 3)].join('  '))
}
