import { deactivate } from '#features/profile/contract.ts'
import type { Customer } from './customer.ts'

/** Deletes the account, whatever is left on its balance: the sum is named as often as it turns out to be another. */
export async function leave({ api, email }: Pick<Customer, 'api' | 'email'>) {
  for (let body: Parameters<typeof api.call<typeof deactivate>>[1]['body'] = { email }; ;) {
    const answer = await api.call(deactivate, { body })
    if (answer.status !== 409 || !answer.body.balance) return answer
    body = { email, forfeit: answer.body.balance }
  }
}
