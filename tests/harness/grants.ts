// Helpers of an account: invited by its owner, and accepted.
import * as contract from '#features/sharing/contract.ts'
import type { HelperRole } from '#foundation/capability.ts'
import { signedInCustomer, type Customer } from './customer.ts'
import { bodyOf } from './hosts.ts'
import type { TestApp } from './test-app.ts'

export type Terms = {
  role?: HelperRole
  host_ids?: string[]
  month_limit?: string
  may_pass_on?: boolean
  needs_second_factor?: boolean
}

export type Helper = Customer & { grantId: string }

/** Somebody who helps the owner: a new customer, or this one. */
export async function helperOf(
  test: TestApp,
  owner: Pick<Customer, 'api'>,
  { role = 'technical', host_ids, ...terms }: Terms = {},
  grantee?: Customer,
): Promise<Helper> {
  const person = grantee ?? (await signedInCustomer(test))
  const body = { email: person.email, role, all_hosts: !host_ids, ...(host_ids && { host_ids }), ...terms }
  const { id } = bodyOf(await owner.api.call(contract.createGrant, { body }), 201)
  bodyOf(await person.api.call(contract.acceptGrant, { params: { grantId: id } }), 200)
  return { ...person, grantId: id }
}

/** Ends a grant, by its owner or by the helper. */
export const endGrant = ({ api }: Pick<Customer, 'api'>, grantId: string) =>
  api.call(contract.deleteGrant, { params: { grantId } })
