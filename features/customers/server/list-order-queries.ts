import { sql, type RawBuilder } from 'kysely'
import { byMoment, byNumber, inOrder, inOrderOfIds, type Order } from '#foundation/server/database/order.ts'
import type { Sort } from '#features/customers/rules.ts'

/** A part of the list of customers: those who meet the condition, in an order that has an index. */
export type Part = Order & { condition: RawBuilder<unknown> }

/**
 * The parts of the list in this order. Accounts that never moved money have no row of a balance, and stand among those with 0, for whom there
 * is no index: they are most customers, so that a walk along all soon fills a page. Accounts that never signed in come last, the newest first.
 */
export function partsOf(sort: Sort, debt: boolean): readonly Part[] {
  const isDown = !sort.endsWith('_asc')
  const id = sql`c.user_id`
  const created = byMoment(sql`c.created_at`)
  switch (sort) {
    case 'created_at':
    case 'created_at_asc': {
      return [{ ...inOrder(created, id, isDown), condition: sql`true` }]
    }
    case 'last_login_at':
    case 'last_login_at_asc': {
      const signedIn = inOrder(byMoment(sql`c.last_login_at`), id, isDown)
      return [
        { ...signedIn, condition: sql`c.last_login_at is not null` },
        { ...inOrder(created, id, true), condition: sql`c.last_login_at is null` },
      ]
    }
    case 'balance':
    case 'balance_asc': {
      const order = inOrder(byNumber(sql`c.balance`), id, isDown)
      const owing = { ...order, condition: sql`c.balance < 0` }
      if (debt) return [owing]
      const none = {
        ...inOrderOfIds(id, isDown),
        condition: sql`(c.balance is null or c.balance = 0)`,
      }
      const some = { ...order, condition: sql`c.balance > 0` }
      return isDown ? [some, none, owing] : [owing, none, some]
    }
    default: {
      return sort satisfies never
    }
  }
}
