import { must } from '#foundation/must.ts'
import { ahead, DAY, type Debt, type Model, type Side } from './model.ts'
import { runRenewNow, runStep } from './renewals.ts'
import type { Clock, JobKey } from './model.ts'

// The model of debts (balances below zero): three mails, and after seven days the suspension of the server that the account has paid for.

const DEBT_STEPS = [0, 3, 6, 7]
const SUSPENDS = 7
const APART = DAY / 2

/** Begins a debt if a chargeback took more than the balance. */
export function fall(model: Model, side: Side, now: number): void {
  if (model[side].balance >= 0n || model[side].debt) return
  model[side].debt = { began: now, done_day: null, last_step: null }
  model.jobs.set(`debt:${side}`, now)
}

/** Applies the effects of money that came in: a debt that is paid ends, and a renewal that was refused is tried again. */
export function rise(model: Model, side: Side, now: number): void {
  const account = model[side]
  if (account.debt && account.balance >= 0n) {
    account.debt = null
    if (side === 'owner' && model.suspended === 'debt') model.suspended = null
  }
  // The owner's money counts for their hosts, whoever pays for them.
  if ((side === 'owner' || model.agreement) && model.watch && model.watch.refusal !== null)
    model.jobs.set('renew', now)
}

const earliest = ({ last_step }: Debt): number => (last_step === null ? 0 : last_step + APART)

/** Returns the due times of the steps of a debt that were not taken yet. */
export function debtTimes(debt: Debt): number[] {
  return DEBT_STEPS.filter((day) => debt.done_day === null || day > debt.done_day).map((day) =>
    Math.max(debt.began + day * DAY, earliest(debt)),
  )
}

function runDebt(model: Model, side: Side, now: number): void {
  const { debt } = model[side]
  if (!debt) return
  if (model[side].balance >= 0n) return rise(model, side, now)
  const open = DEBT_STEPS.filter((day) => debt.done_day === null || day > debt.done_day)
  const day = earliest(debt) > now ? undefined : open.findLast((one) => debt.began + one * DAY <= now)
  if (day !== undefined) {
    Object.assign(debt, { done_day: day, last_step: now })
    if (day === SUSPENDS && side === 'owner' && !model.suspended && hasPaid(model, now))
      model.suspended = 'debt'
  }
  const [next] = debtTimes(debt)
  if (next !== undefined) model.jobs.set(`debt:${side}`, next)
}

const hasPaid = (model: Model, now: number): boolean =>
  ahead(model, now).some(({ sale, kind }) => kind !== 'trial' && sale.buyer === 'owner')

const ORDER: readonly JobKey[] = ['debt:owner', 'debt:payer', 'licence', 'renew']

/** Returns the job that is done next, the first due job in `ORDER`. */
const dueJob = ({ jobs }: Model, now: number): JobKey | undefined =>
  ORDER.find((key) => (jobs.get(key) ?? Infinity) <= now)

/** Does all due jobs, one after the other. Returns their keys. */
export function runJobs(model: Model, clock: Clock): JobKey[] {
  const done: JobKey[] = []
  for (let key = dueJob(model, clock.now); key; key = dueJob(model, clock.now)) {
    must(model.jobs.delete(key))
    done.push(key)
    if (key === 'licence') runStep(model, clock)
    else if (key === 'renew') runRenewNow(model, clock)
    else runDebt(model, key === 'debt:owner' ? 'owner' : 'payer', clock.now)
  }
  return done
}
