import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { on } from '#foundation/server/events.ts'
import { accessChanged, userDeactivated } from '#features/profile/contract.ts'
import { lockedOut } from '#features/auth/contract.ts'
import { CUSTOMER_CHANGED } from '#features/customers/contract.ts'
import { suspensionChanged } from '#features/licences/contract.ts'
import type { PersonalData } from '#foundation/server/personal-data.ts'
import { publishToStaff } from '#foundation/server/realtime/publish.ts'
import { factorsChanged, factorUsed } from '#features/security/contract.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { getCustomerAccount } from './account.ts'
import { listCustomerActivity } from './activity.ts'
import { listStaffHosts } from './all-hosts.ts'
import { setBlock, mailLockedAgain } from './blocks.ts'
import { confirmAddress } from './confirm-address.ts'
import * as customers from './customers.ts'
import {
  cancelFactorReset,
  requestFactorReset,
  vetoFactorReset,
  FACTOR_RESET,
  stepFactorReset,
  sweepFactorResets,
  endPendingReset,
} from './factor-resets.ts'
import { assertNoneToUndo } from './assert-mergeable.ts'
import { moveLateBalances } from './late-balances.ts'
import { mergeAccount, mergeAct } from './merge.ts'
import { moveAccount, moveAct } from './move-account.ts'
import { undoMerge } from './unmerge.ts'
import { eraseCustomer, eraseAct } from './erase.ts'
import { exportCustomer } from './export-data.ts'
import * as notes from './notes.ts'
import { copyOfMails, listCustomerMails, sendMailAgain } from './past-mails.ts'
import { rejectTransfer } from './reject-transfer.ts'
import { signOutCustomer } from './sign-out.ts'
import { endView, startView, endViewsOfLocked, endViewsWithoutFactor } from './views.ts'
import { blocksOf } from './block-queries.ts'
import { resetsOf } from './factor-reset-queries.ts'
import { forgetMailsOf } from '#foundation/server/mail/history.ts'
import { deleteNotesOf } from './queries.ts'

export const routes: readonly Handler[] = [
  customers.listCustomers,
  getCustomerAccount,
  customers.listCustomerHosts,
  listStaffHosts,
  customers.listCustomerInvoices,
  notes.listCustomerNotes,
  notes.createCustomerNote,
  notes.updateCustomerNote,
  notes.deleteCustomerNote,
  listCustomerActivity,
  listCustomerMails,
  sendMailAgain,
  setBlock,
  signOutCustomer,
  startView,
  endView,
  confirmAddress,
  rejectTransfer,
  requestFactorReset,
  cancelFactorReset,
  vetoFactorReset,
  moveAccount,
  mergeAccount,
  undoMerge,
  exportCustomer,
  eraseCustomer,
]

export const jobs: readonly Job[] = [
  job(FACTOR_RESET, stepFactorReset),
  cronJob(jobKind('sweep_factor_resets', 'security'), 60, sweepFactorResets),
  cronJob(jobKind('move_late_balances', 'money'), 60, moveLateBalances),
]

export const reactions = [
  on(userDeactivated, (_app, tx, { user_id }) => assertNoneToUndo(tx, user_id)),
  // The notes about a customer are deleted with the account, and so are the mails to them.
  on(userDeactivated, async (_app, tx, { user_id }) => {
    await deleteNotesOf(tx, user_id)
    await forgetMailsOf(tx, user_id)
  }),
  on(lockedOut, mailLockedAgain),
  on(suspensionChanged, (_app, tx, { user_id }) =>
    publishToStaff(tx, { type: CUSTOMER_CHANGED, user_id }, { hidden_from: user_id }),
  ),
  on(factorUsed, (_app, tx, { user_id }) => endPendingReset(tx, user_id, { by_use: true })),
  on(userDeactivated, (_app, tx, { user_id }) => endPendingReset(tx, user_id, {})),
  on(accessChanged, endViewsOfLocked),
  on(factorsChanged, endViewsWithoutFactor),
]

/** The copy leaves out reasons, causes and notes, which are for staff only. */
export const personalData: PersonalData = (app, _tx, user_id) => ({
  'blocks.json': async () =>
    (await blocksOf(app.db, user_id)).map(({ level, message, at }) => ({ level, message, at })),
  'second-factor-resets.json': () => resetsOf(app.db, user_id),
  'mails.json': () => copyOfMails(app, user_id),
})

export const approvable: readonly ApprovableAct[] = [eraseAct, moveAct, mergeAct] as readonly ApprovableAct[]
