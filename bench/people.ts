import { loadConfig } from '#app/server/config.ts'
import { createLog } from '#foundation/server/log.ts'
import { buildApp } from '#app/server/build-app.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { Client } from '#tests/harness/client.ts'
import { databaseOf } from '#tests/system/product-process.ts'

type Installation = { url: string; dataDir: string; settings: Record<string, string> }

/** Makes customers and staff in a running installation and signs them in, without the cost of hashing passwords. */
export async function signInMany(
  { url, dataDir, settings }: Installation,
  count: { customers: number; staff: number },
): Promise<{ customers: Customer[]; staff: Customer[] }> {
  const ownerUrl = databaseOf(dataDir)
  const config = loadConfig({ ...settings, PUBLIC_ORIGIN: 'http://localhost:3000', DATABASE_URL: ownerUrl })
  const app = await buildApp(config, { ownerUrl, log: createLog({ level: 'silent' }) })
  const test = { app, client: () => new Client(url) }
  const many = async (wanted: number, make: (given: typeof test) => Promise<Customer>) => {
    const made: Customer[] = []
    // Only a few are made at a time: the pool of connections is small.
    while (made.length < wanted) {
      const some = Math.min(8, wanted - made.length)
      made.push(...(await Promise.all(Array.from({ length: some }, () => make(test)))))
    }
    return made
  }
  try {
    return {
      customers: await many(count.customers, signedInCustomer),
      staff: await many(count.staff, signedInStaff),
    }
  } finally {
    await app.close()
  }
}
