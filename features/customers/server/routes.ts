import type { Handler } from '#foundation/server/http/handler.ts'
import { getCustomerAccount } from './account.ts'
import { listCustomerActivity } from './activity.ts'
import { setBlock } from './blocks.ts'
import { confirmAddress } from './confirm-address.ts'
import * as customers from './customers.ts'
import { cancelFactorReset, requestFactorReset, vetoFactorReset } from './factor-resets.ts'
import { moveAccount } from './move-account.ts'
import { eraseCustomer } from './erase.ts'
import { exportCustomer } from './export-data.ts'
import * as notes from './notes.ts'
import { rejectTransfer } from './reject-transfer.ts'
import { signOutCustomer } from './sign-out.ts'
import { endView, startView } from './views.ts'

export const routes: readonly Handler[] = [
  customers.listCustomers,
  getCustomerAccount,
  customers.listCustomerHosts,
  customers.listCustomerInvoices,
  notes.listCustomerNotes,
  notes.createCustomerNote,
  notes.updateCustomerNote,
  notes.deleteCustomerNote,
  listCustomerActivity,
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
  exportCustomer,
  eraseCustomer,
]
