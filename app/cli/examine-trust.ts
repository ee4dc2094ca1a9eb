import type pg from 'pg'
import type { Config } from '#foundation/server/config.ts'
import { lastObserved } from '#foundation/server/operation/queries.ts'

/** A finding that doctor tells without failing: anybody on the network can cause it, so it may not break a deploy. */
export class Warning extends Error {}

const SEEN_LATELY_ms = 7 * 86_400_000

/** Rule 41: behind a proxy that is not declared everybody counts as one address. */
export async function examineProxies(client: pg.Client, { trustedProxies }: Config): Promise<string> {
  if (trustedProxies > 0) return `the nearest ${trustedProxies} may say whom they forward for`
  const seen = await lastObserved(client, 'forwarded_without_trusted_proxies')
  if (!seen || Date.now() - seen.getTime() > SEEN_LATELY_ms) return 'none, and nothing was forwarded lately'
  throw new Warning(
    `a forwarded request arrived on ${seen.toISOString()}, and TRUSTED_PROXIES is 0: everybody behind that proxy counts as one address. Set TRUSTED_PROXIES to the number of proxies in front.`,
  )
}
