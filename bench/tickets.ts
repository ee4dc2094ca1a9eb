import { must } from '#foundation/must.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { answerTimes } from './answer-times.ts'
import { askDesk, countAtDesk, deskQueries } from './desk-queries.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { seedTickets, type TicketSizes } from './ticket-seed.ts'

const LOAD = { at_once: 2, requests: 80 }
const SIZES: TicketSizes = { customers: 20_000, tickets: 100_000 }

/** A million messages: how long staff's lists and their search take over HTTP. */
export async function measureTickets(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { ...production, NODE_ENV: 'production', ROLE: 'web', RATE_LIMIT_SCALE: '1000000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const { staff } = await signInMany({ url: product.url, dataDir, settings }, { customers: 0, staff: 20 })
    await seedTickets(
      databaseOf(dataDir),
      staff.map(({ user_id }) => user_id),
      SIZES,
    )
    const apiOf = (place: number) => must(staff[place % staff.length]).api
    const figures: Figure[] = []
    for (const { name, query } of deskQueries(SIZES)) {
      const times = await answerTimes(`tickets, ${name}`, LOAD, (place) => askDesk(apiOf(place), query()))
      figures.push({ ...times, most: 150 })
    }
    const counts = 'tickets, the numbers beside the tabs'
    figures.push({ ...(await answerTimes(counts, LOAD, (place) => countAtDesk(apiOf(place)))), most: 20 })
    return figures
  } finally {
    await product.stop()
    remove()
  }
}
