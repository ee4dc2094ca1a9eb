import * as contract from '#features/payers/contract.ts'
import type { Customer } from './customer.ts'
import { bodyOf } from './hosts.ts'

type Terms = { all_hosts?: boolean; host_ids?: string[]; pays?: 'renewals' | 'all'; month_limit?: string }

/** Makes an agreement in force, by which `payer` pays for these servers of `owner`; without `host_ids`, for all of them. */
export async function agreed(
  owner: Pick<Customer, 'api'>,
  payer: Pick<Customer, 'api' | 'email'>,
  { pays = 'all', ...terms }: Terms = {},
): Promise<contract.Agreement> {
  const all_hosts = terms.host_ids === undefined
  const body = { email: payer.email, side: 'owner', all_hosts, pays, ...terms } as const
  const asked = bodyOf(await owner.api.call(contract.createAgreement, { headers: {}, body }), 201)
  const params = { agreementId: asked.id }
  return bodyOf(
    await payer.api.call(contract.acceptAgreement, { params, body: { version: asked.version } }),
    200,
  )
}
