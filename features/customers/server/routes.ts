import type { Handler } from '#foundation/server/http/handler.ts'
import * as customers from './customers.ts'
import * as notes from './notes.ts'

export const routes: readonly Handler[] = [
  customers.listCustomers,
  customers.getCustomerAccount,
  customers.listCustomerHosts,
  customers.listCustomerInvoices,
  notes.listCustomerNotes,
  notes.createCustomerNote,
  notes.updateCustomerNote,
  notes.deleteCustomerNote,
]
