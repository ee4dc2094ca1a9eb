import { lockBalanceOf, overdrawnCustomers } from '#features/finance/server/finance.ts'
import { isMerged } from '#features/invoices/server/invoices.ts'
import {
  lockHostsOf,
  namedHosts,
  publishHostChanged,
  recordHost,
  type NamedHost,
} from '#features/hosts/server/hosts.ts'
import { suspensionChanged } from '#features/licences/contract.ts'
import { hostResumed, hostSuspended } from '#features/licences/event-contract.ts'
import { ACTIVITY_ADDED } from '#features/security/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { recordAction } from '#foundation/server/audit/audit.ts'
import { transaction, type Tx } from '#foundation/server/database/transaction.ts'
import { emit } from '#foundation/server/events.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { enqueue } from '#foundation/server/jobs/jobs.ts'
import { publish } from '#foundation/server/realtime/publish.ts'
import { debtReminder, debtSettled, debtSuspends, mailDebtor, messageOnServers } from './debt-mails.ts'
import * as queries from './debt-queries.ts'
import { dueStep, nextStepAt, suspendsAt } from './debt-steps.ts'
import { liftForDebt, paidHosts, suspendForDebt } from './suspension-queries.ts'

// Locks (rule 9): hosts, then the balance, then the debt, then suspensions. A chargeback and a payment have locked the balance already, so
// a debt begins or ends in their transaction, and of a suspension and a payment at the same time, one waits for the other.

/** Takes the next step of a debt: a mail, or the suspension. */
export const DEBT_STEP = jobKind('debt_step', 'money')

/**
 * Begins a debt, with its first mail at once, unless the customer has an open one. The caller has locked the balance, which is below 0. The debt
 * of an account that was merged moves to the one that stays, and begins there.
 */
export async function beginDebt(app: App, tx: Tx, user_id: string): Promise<void> {
  if (await isMerged(tx, user_id)) return
  const id = await queries.insertDebt(tx, user_id, app.config.suspendAfterDays)
  if (id !== undefined) enqueueStep(tx, { id, user_id })
}

const enqueueStep = (tx: Tx, { user_id }: { id: string; user_id: string }, run_at?: Date): void =>
  enqueue(tx, DEBT_STEP, { user_id }, { key: `debt:${user_id}`, ...(run_at && { run_at }) })

/** The job of a debt. It decides by rows that it has locked, so a job that runs twice, late, or after the payment takes no step twice. */
export async function runDebtStep(app: App, { user_id }: { user_id: string }): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    const hosts = await lockHostsOf(tx, user_id)
    const balance = await lockBalanceOf(app, tx, user_id)
    const found = await queries.lockDebt(tx, user_id)
    if (!found) return
    if (balance >= 0n) return settleDebt(app, tx, user_id)
    const { now, ...row } = found
    // If the operator sets SUSPEND_AFTER_DAYS to 0, no debt suspends any more. Any other number counts only for debts that begin later.
    const debt = app.config.suspendAfterDays === null ? { ...row, suspend_after_days: null } : row
    const step = dueStep(debt, now)
    if (!step) {
      const at = nextStepAt(debt)
      if (at) enqueueStep(tx, debt, at)
      return
    }
    const done = { ...debt, done_day: step.day, last_step_at: now }
    const paid = await paidHosts(
      tx,
      user_id,
      hosts.map(({ id }) => id),
    )
    if (step.does === 'suspend') await suspendAll(app, tx, debt, paid, -balance)
    else {
      const at = suspendsAt(done)
      const values = { amount: -balance, hosts: paid.length, at, day: step.day }
      await mailDebtor(app, tx, user_id, debtReminder, values)
    }
    const next_at = nextStepAt(done)
    await queries.setStep(tx, { ...done, suspend_after_days: row.suspend_after_days }, next_at)
    if (next_at) enqueueStep(tx, debt, next_at)
  })
}

async function suspendAll(
  app: App,
  tx: Tx,
  debt: queries.DebtRow,
  paid: readonly bigint[],
  amount: bigint,
): Promise<void> {
  const { user_id, began_at } = debt
  const ids = await suspendForDebt(tx, debt, paid, {
    reason: 'charge_back',
    text_public: await messageOnServers(tx, user_id),
    text_internal: `The balance is below zero since ${began_at.toISOString()}.`,
  })
  const hosts = await namedHosts(tx, ids)
  if (hosts.length === 0) return
  for (const host of hosts) {
    recordHost(tx, hostSuspended, { ...host, user_id })
    await record(tx, 'host.suspended', user_id, host)
  }
  enqueuePublishing(tx, user_id, hosts)
  await mailDebtor(app, tx, user_id, debtSuspends, { amount, names: hosts.map(({ name }) => name) })
}

/** Ends a debt, and lifts what it suspended. The caller has locked the balance, which is zero or more again. */
export async function settleDebt(app: App, tx: Tx, user_id: string): Promise<void> {
  const debt = await queries.endDebt(tx, user_id)
  if (debt === undefined) return
  const hosts = await namedHosts(tx, await liftForDebt(tx, debt))
  if (hosts.length === 0) return
  for (const host of hosts) {
    recordHost(tx, hostResumed, { ...host, user_id })
    await record(tx, 'host.resumed', user_id, host)
  }
  enqueuePublishing(tx, user_id, hosts)
  await mailDebtor(app, tx, user_id, debtSettled, { names: hosts.map(({ name }) => name) })
}

const record = (
  tx: Tx,
  act: 'host.suspended' | 'host.resumed',
  user_id: string,
  { public_id, name }: NamedHost,
): Promise<void> =>
  recordAction(tx, { user_id, act, detail: { cause: 'debt', host_id: public_id, host: name } })

type Changed = { user_id: string; host_ids: string[] }

/** Publishes the suspensions that a transaction which moves money has written or lifted, after its commit (rule 29). */
export const PUBLISH_SUSPENSIONS = jobKind('publish_suspensions', 'rest')

const enqueuePublishing = (tx: Tx, user_id: string, hosts: readonly NamedHost[]): void =>
  enqueue(tx, PUBLISH_SUSPENSIONS, { user_id, host_ids: hosts.map(({ public_id }) => public_id) })

export async function publishSuspensions(app: App, { user_id, host_ids }: Changed): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const host_id of host_ids) await publishHostChanged(tx, user_id, host_id)
    await publish(tx, user_id, { type: ACTIVITY_ADDED })
    await emit(app, tx, suspensionChanged, { user_id })
  })
}

const LATE_S = 600

/**
 * A safety net below the jobs. A step whose job was lost gets another job. A balance below zero without a debt, as from before the
 * release that introduced debts, becomes a debt that begins now.
 */
export async function sweepDebts(app: App): Promise<void> {
  await transaction(app, 'system', async (tx) => {
    for (const debt of await queries.lateDebts(tx, LATE_S)) enqueueStep(tx, debt)
  })
  const overdrawn = await overdrawnCustomers(app.db, app.config.currency)
  for (const user_id of await queries.withoutDebt(app.db, overdrawn))
    await transaction(app, 'system', async (tx) => {
      if ((await lockBalanceOf(app, tx, user_id)) < 0n) await beginDebt(app, tx, user_id)
    })
}
