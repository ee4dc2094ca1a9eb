import { deactivate } from '#features/profile/contract.ts'
import type { Customer } from './customer.ts'

/** Deletes the account with whatever is left on its balance. The call must name this sum, and is repeated while the sum changes. */
export async function leave({ api, email }: Pick<Customer, 'api' | 'email'>) {
  for (let body: Parameters<typeof api.call<typeof deactivate>>[1]['body'] = { email }; ;) {
    const answer = await api.call(deactivate, { body })
    if (answer.status !== 409 || !answer.body.balance) return answer
    body = { email, forfeit: answer.body.balance }
  }
}
