// Helpers of an account: its owner invites them, and they accept.
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

/** Makes a helper of the owner's account: `grantee`, or a new customer. */
export async function helperOf(
  test: Pick<TestApp, 'app' | 'client'>,
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

/** Ends a grant, as its owner or as the helper. */
export const endGrant = ({ api }: Pick<Customer, 'api'>, grantId: string) =>
  api.call(contract.deleteGrant, { params: { grantId } })
