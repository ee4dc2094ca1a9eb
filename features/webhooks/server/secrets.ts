import { randomBytes } from 'node:crypto'
import type { App } from '#foundation/server/app.ts'
import { seal, unseal, type Keys } from '#foundation/server/keys.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { reseal, sealedByOtherKeys, type EndpointRow } from './queries.ts'

/** Makes a secret in the form of Standard Webhooks: `whsec_` and 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const sealSecret = ({ keys }: { keys: Keys }, endpoint_id: string, secret: string): string =>
  seal(keys, secret, contextOf(endpoint_id))

/** The secrets that sign now: one, or two while one is being replaced. */
export function signingSecrets({ keys }: Pick<App, 'keys'>, endpoint: EndpointRow, now: Date): string[] {
  const { id, secret_sealed, old_secret_sealed, old_secret_until } = endpoint
  const isOldGood = old_secret_until !== null && old_secret_until > now
  const sealed = [secret_sealed, ...(isOldGood && old_secret_sealed !== null ? [old_secret_sealed] : [])]
  return sealed.map((text) => unseal(keys, text, contextOf(id)))
}

const contextOf = (endpoint_id: string) => `webhook ${endpoint_id}`

/** The secrets of endpoints are sealed anew when the key changes. */
export const sealed: Sealed = {
  what: 'secrets of webhooks',
  async reseal(app, tx, limit) {
    const again = (id: string, text: string) => sealSecret(app, id, unseal(app.keys, text, contextOf(id)))
    const found = await sealedByOtherKeys(tx, app.keys.boxId, limit)
    for (const { id, secret_sealed, old_secret_sealed: old } of found)
      await reseal(tx, {
        id,
        secret_sealed: again(id, secret_sealed),
        old_secret_sealed: old === null ? null : again(id, old),
      })
    return found.length
  },
}
