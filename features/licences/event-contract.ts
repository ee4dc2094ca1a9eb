import * as z from 'zod/mini'
import { published } from '#foundation/published.ts'
import { publishedOfHost, seeHosts } from '#features/hosts/contract.ts'

/** Account events of suspensions and machines. */

export const hostSuspended = publishedOfHost('host.suspended', 'A server was suspended: it may not run.')
export const hostResumed = publishedOfHost('host.resumed', 'A suspension of a server ended.')
export const machineLimitReached = published('licence.machine_limit_reached', {
  summary: 'A machine asked for a licence that has no place left for it; at most once a day for a server.',
  data: z.strictObject({
    host: z.strictObject({ id: z.string(), name: z.string() }),
    limit: z.int(),
    machine: z.strictObject({ hostname: z.nullable(z.string()), address: z.string() }),
  }),
  opens: seeHosts,
})
