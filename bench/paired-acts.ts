import { randomUUID } from 'node:crypto'
import { updateHost } from '#features/hosts/contract.ts'
import { postMessage } from '#features/support/messages/contract.ts'
import { must } from '#foundation/must.ts'
import type { Client } from '#tests/harness/client.ts'
import { median, type Figure } from '#tools/figures/table.ts'

const PAIRS = 300
const WARM_UP = 20

/** A customer with a server to rename and a ticket to write to. */
export type Actor = { client: Client; host: string; ticket: string }

/**
 * Measures how long an act takes one customer beside another, one act at a time: two acts of the one, two of the other, and each first as often
 * as second. A machine that does something else spoils some of the pairs, and the median is of all.
 */
export async function pairedActs(
  name: string,
  one: Actor,
  other: Actor,
  bar: { target: number },
): Promise<Figure> {
  const pairs: { one: number; other: number }[] = []
  for (let round = 0; round < PAIRS + WARM_UP; round += 1) {
    const isFirst = round % 2 === 0
    const first = await actsOf(isFirst ? one : other)
    const second = await actsOf(isFirst ? other : one)
    if (round >= WARM_UP) pairs.push(isFirst ? { one: first, other: second } : { one: second, other: first })
  }
  const [mine, theirs] = (['one', 'other'] as const).map((side) =>
    (median(pairs.map((pair) => pair[side])) / 2).toFixed(2),
  )
  return {
    name: `an act ${name}, time`,
    ...spreadOf(
      pairs.map((pair) => pair.one / pair.other),
      `${mine} against ${theirs} ms`,
    ),
    ...bar,
  }
}

/** The time of a rename and a message, in ms. */
async function actsOf({ client, host: hostId, ticket: chatId }: Actor): Promise<number> {
  const began = performance.now()
  const renamed = await client.call(updateHost, { params: { hostId }, body: { name: `web-${randomUUID()}` } })
  const message = { client_id: randomUUID(), text: 'The server is slow.' }
  const written = await client.call(postMessage, { params: { chatId }, body: message })
  const took = performance.now() - began
  if (renamed.status !== 200 || written.status !== 201)
    throw new Error(`answered ${renamed.status} and ${written.status}`)
  return took
}

/** The median of ratios, with the quartiles, between which half of the pairs lie. */
export function spreadOf(ratios: readonly number[], note: string): Pick<Figure, 'value' | 'unit' | 'note'> {
  const sorted = ratios.toSorted((one, other) => one - other)
  const at = (share: number) => must(sorted[Math.floor(share * (sorted.length - 1))]).toFixed(2)
  return {
    value: median(ratios),
    unit: '×',
    note: `${note}; half of ${ratios.length} pairs within ${at(0.25)} and ${at(0.75)}`,
  }
}
