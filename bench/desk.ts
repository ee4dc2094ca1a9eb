import { countStaffTickets, listStaffTickets } from '#features/support/desk/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import type { Client } from '#tests/harness/client.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes, type Load } from './answer-times.ts'
import { commonWord, frequentTag, rareTag, rareWord, type TicketSizes } from './ticket-seed.ts'

type Query = InputOf<typeof listStaffTickets>['query']

const any = (count: number) => Math.floor(Math.random() * count)
const oneOf = <T>(values: readonly T[]): T => must(values[any(values.length)])
const tabs = ['incoming', 'processing', 'waiting', 'closed'] as const

/** `finds` is true where each query has to find a ticket: a kept folder that was filled before tickets had tags would measure empty lists. */
type DeskQuery = { name: string; query: () => Query; finds?: true }

/** The queries of staff at the ticket desk. Each query takes other values each time, so that no cache is warm from the query before. */
const deskQueries = ({ tickets, customers }: TicketSizes): DeskQuery[] => [
  { name: 'a tab', query: () => ({ tab: oneOf(tabs) }) },
  {
    name: 'a topic and a priority',
    query: () => ({ tab: oneOf(tabs), topic: 'review', priority: 'critical' }),
  },
  { name: 'mine', query: () => ({ tab: oneOf(tabs), assignee: 'me' }) },
  { name: 'late', query: () => ({ late: 'yes' }), finds: true },
  { name: 'late within a tab', query: () => ({ late: 'yes', tab: 'incoming' }), finds: true },
  { name: 'snoozed', query: () => ({ tab: 'snoozed' }), finds: true },
  { name: 'a tag of few tickets', query: () => ({ tag: rareTag() }), finds: true },
  {
    name: 'a tag of every tenth ticket, within a tab',
    query: () => ({ tag: frequentTag, tab: oneOf(tabs) }),
    finds: true,
  },
  { name: 'search, number', query: () => ({ q: `#${1001 + any(tickets)}` }) },
  { name: 'search, customer', query: () => ({ q: `customer-${1 + any(customers)}@example.org` }) },
  { name: "search, part of a customer's name", query: () => ({ q: `son${any(customers)}` }) },
  { name: 'search, rare words, English', query: () => ({ q: rareWord(0) }) },
  { name: 'search, rare words, German', query: () => ({ q: rareWord(1) }) },
  { name: 'search, rare words, Russian', query: () => ({ q: rareWord(2) }) },
  { name: 'search, a word of every second ticket', query: () => ({ q: commonWord(any(3)) }) },
  { name: 'search, such a word within a tab', query: () => ({ q: commonWord(any(3)), tab: oneOf(tabs) }) },
  { name: 'search, two such words', query: () => ({ q: `${commonWord(1)} ${rareWord(1)}` }) },
]

type Desk = {
  load: Load
  sizes: TicketSizes
  staffOf: (place: number) => Client
  /** Returns the longest p95 that a query may have, in ms. */
  mostOf: (name: string) => number
}

/** Measures each query of the ticket desk, and the numbers beside its tabs. */
export async function measureDesk(prefix: string, { load, sizes, staffOf, mostOf }: Desk): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, query, finds } of deskQueries(sizes)) {
    const times = await answerTimes(`${prefix}, ${name}`, load, async (place) => {
      const found = await askDesk(staffOf(place), query())
      if (finds && found === 0) throw new Error(`'${name}' finds no ticket: fill the folder anew`)
    })
    figures.push({ ...times, most: mostOf(name) })
  }
  const counts = await answerTimes(`${prefix}, the numbers beside the tabs`, load, (place) =>
    countAtDesk(staffOf(place)),
  )
  return [...figures, { ...counts, most: 20 }]
}

async function countAtDesk(client: Client): Promise<void> {
  const reply = await client.call(countStaffTickets, {})
  if (reply.status !== 200) throw new Error(`the numbers answer ${JSON.stringify(reply)}`)
}

/** Returns how many tickets are on the page. */
async function askDesk(client: Client, query: Query): Promise<number> {
  const reply = await client.call(listStaffTickets, { query })
  if (reply.status !== 200) throw new Error(`the list answers ${JSON.stringify(reply)}`)
  return reply.body.items.length
}
