import type { Handler } from '#foundation/server/http/handler.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import * as editions from './editions.ts'
import * as extras from './extras.ts'
import * as plans from './catalogue.ts'
import * as products from './products.ts'
import * as moves from './move-customers.ts'
import * as promoCodes from './promo-codes.ts'
import * as vouchers from './vouchers.ts'
import { voucherAct } from './vouchers.ts'

export const routes: readonly Handler[] = [
  plans.list,
  plans.add,
  plans.change,
  plans.order,
  plans.preview,
  moves.previewMove,
  moves.moveCustomers,
  moves.undoMove,
  products.list,
  products.add,
  products.change,
  editions.list,
  editions.add,
  editions.change,
  extras.list,
  extras.add,
  extras.change,
  vouchers.list,
  vouchers.make,
  vouchers.voidOne,
  promoCodes.list,
  promoCodes.make,
  promoCodes.end,
]

export const approvable: readonly ApprovableAct[] = [voucherAct]
