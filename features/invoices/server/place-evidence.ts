import type { OverrideRow } from './vat-evidence-queries.ts'

/** The facts about a buyer's place beside the address: the countries that paid, and that of the network of the last sign-in. */
export type PlaceFacts = {
  payments: readonly string[]
  network: string | null
  /** The latest decision of staff, in force or not. */
  override: OverrideRow | null
}

/** The evidence of a buyer's place, kept with the document (Implementing Regulation 282/2011, articles 24b and 24f). */
export type PlaceEvidence = Pick<PlaceFacts, 'payments' | 'network'> & {
  /** The code of the place by the address (`vatPlaceOf`), and of the place whose rate is charged. */
  claimed: string
  charged: string
  /** The fact that agrees with the address; `address` alone counts where its rate is none of the lower ones; else `doubted`. */
  basis: 'vat_id' | 'staff' | 'payment' | 'network' | 'address' | 'doubted'
  /** The id of the decision of staff, or null. */
  decision: string | null
}
