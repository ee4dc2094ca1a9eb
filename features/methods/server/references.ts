import { createHmac } from 'node:crypto'
import * as z from 'zod/mini'
import type { App } from '#foundation/server/app.ts'
import type { Sealed } from '#foundation/server/key-change/sealed.ts'
import { digestKeys, seal, unseal } from '#foundation/server/keys.ts'
import { must } from '#foundation/must.ts'
import type { SavedDetails } from '#features/finance/contract.ts'
import type { ProviderName } from '#features/finance/rules.ts'
import type { SavedMethod } from '#features/finance/server/finance.ts'
import * as queries from './queries.ts'
import type { MethodRow } from './queries.ts'

/**
 * The provider's ids of a method and its customer: sealed, because whoever has them and the provider's key can charge. A keyed digest finds
 * the method by what later events name.
 */

type References = Pick<SavedDetails, 'provider_ref' | 'customer_ref' | 'fingerprint'>
type Holder = Pick<App, 'keys'>

// Methods that were saved before have no fingerprint.
const references = z.object({
  provider_ref: z.string(),
  customer_ref: z.string(),
  fingerprint: z._default(z.string(), ''),
})
const contextOf = (public_id: string) => `payment method ${public_id}`

const digestsOf = ({ keys }: Holder, provider_ref: string): Buffer[] =>
  digestKeys(keys).map((key) => createHmac('sha256', key).update(`payment-method:${provider_ref}`).digest())

/** Returns the ids of a provider as they are stored. */
export const sealReferences = (
  app: Holder,
  public_id: string,
  { provider_ref, customer_ref, fingerprint }: References,
) => ({
  provider_ref_sealed: seal(
    app.keys,
    JSON.stringify({ provider_ref, customer_ref, fingerprint }),
    contextOf(public_id),
  ),
  provider_ref_digest: must(digestsOf(app, provider_ref)[0]),
})

const unsealReferences = ({ keys }: Holder, public_id: string, sealedText: string): References =>
  references.parse(JSON.parse(unseal(keys, sealedText, contextOf(public_id))))

/** Returns the ids by which a provider knows a method; undefined once it is forgotten. */
export const referencesOf = (
  app: Holder,
  { public_id, provider_ref_sealed }: MethodRow,
): References | undefined =>
  provider_ref_sealed === null ? undefined : unsealReferences(app, public_id, provider_ref_sealed)

/** Returns a method as its provider knows it; undefined once it is forgotten. */
export function savedMethod(app: Holder, row: MethodRow): SavedMethod | undefined {
  const { public_id, provider_ref_sealed, kind, mandate_ref } = row
  if (provider_ref_sealed === null) return undefined
  return { id: public_id, kind, mandate_ref, ...unsealReferences(app, public_id, provider_ref_sealed) }
}

/** Returns the methods that a provider calls by this id. */
export const methodsNamed = (
  app: Holder,
  db: App['db'],
  provider: ProviderName,
  provider_ref: string,
): Promise<MethodRow[]> => queries.methodsByReference(db, provider, digestsOf(app, provider_ref))

export const sealed: Sealed = {
  what: 'payment methods',
  async reseal(app, tx, limit) {
    const found = await queries.sealedByOtherKeys(tx, app.keys.boxId, limit)
    for (const { id, public_id, provider_ref_sealed } of found)
      await queries.reseal(
        tx,
        id,
        sealReferences(app, public_id, unsealReferences(app, public_id, provider_ref_sealed)),
      )
    return found.length
  },
}
