import { randomUUID } from 'node:crypto'
import { acceptTransfer, offerTransfer, type Transfer } from '#features/hosts/transfer-contract.ts'
import type { Step, Life } from './life.ts'
import type { JobKey, Model, Side } from './model.ts'
import { call } from './world.ts'

const other: Record<Side, Side> = { owner: 'payer', payer: 'owner' }

/** Transfers the server: its owner offers it, and the other account accepts. */
export function transfer(life: Life): Step {
  const { model, lane, people, hostId } = life
  return {
    name: 'transfer',
    async ask() {
      const { owner, payer } = people
      const offered = await call(lane.world, owner, offerTransfer, {
        params: { hostId },
        headers: { 'idempotency-key': randomUUID() },
        body: { email: payer.email, name: 'otter' },
      })
      if (offered.status !== 201) return offered
      return call(lane.world, payer, acceptTransfer, {
        params: { transferId: (offered.body as Transfer).id },
      })
    },
    apply() {
      if (model.suspended) return 'host_suspended'
      if (model.owner.balance < 0n) return 'balance_below_zero'
      handOver(model)
      ;[people.owner, people.payer] = [people.payer, people.owner]
      return undefined
    },
  }
}

/** Changes the owner: automatic renewal, agreement and announced price end, and each sale still belongs to the account that bought. */
function handOver(model: Model): void {
  if (model.agreement) model.without_server.push(model.agreement.id)
  Object.assign(model, { agreement: null, auto_renew: false, choice: null })
  if (model.watch) Object.assign(model.watch, { refusal: null, announced: null })
  ;[model.owner, model.payer] = [model.payer, model.owner]
  for (const { sale } of model.periods) sale.buyer = other[sale.buyer]
  const due = (key: JobKey) => model.jobs.get(key)
  const debts = [due('debt:owner'), due('debt:payer')]
  for (const [place, key] of (['debt:payer', 'debt:owner'] as const).entries()) {
    const at = debts[place]
    if (at === undefined) model.jobs.delete(key)
    else model.jobs.set(key, at)
  }
}
