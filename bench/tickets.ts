import { must } from '#foundation/must.ts'
import { databaseOf, makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'
import { measureDesk } from './desk.ts'
import { signInMany } from './people.ts'
import { production } from './production.ts'
import { seedTickets, type TicketSizes } from './ticket-seed.ts'

const LOAD = { at_once: 2, requests: 80 }
const SIZES: TicketSizes = { customers: 20_000, tickets: 100_000 }

/** Measures the lists and the search of staff over HTTP, with a million messages. */
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
    const staffOf = (place: number) => must(staff[place % staff.length]).api
    return await measureDesk('tickets', { load: LOAD, sizes: SIZES, staffOf, mostOf: () => 150 })
  } finally {
    await product.stop()
    remove()
  }
}
