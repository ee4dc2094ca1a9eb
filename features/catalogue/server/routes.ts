import type { Handler } from '#foundation/server/http/handler.ts'
import * as editions from './editions.ts'
import * as plans from './catalogue.ts'
import * as vouchers from './vouchers.ts'

export const routes: readonly Handler[] = [
  plans.list,
  plans.add,
  plans.change,
  plans.order,
  plans.preview,
  editions.list,
  editions.add,
  editions.change,
  vouchers.list,
  vouchers.make,
  vouchers.voidOne,
]
