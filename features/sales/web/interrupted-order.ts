import { propertyOf } from '#foundation/web/property.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'

/** An order that waits for money: the page on which it continues, and the fields that were chosen and typed. */
export type InterruptedOrder = {
  to: string
  plan: string
  name?: string
  ipv4?: string
  reference?: string
  /** The promo code, as it was applied or typed. */
  promo?: string
  buyer?: Record<string, string>
  /** The quantities of the chosen extras, by slug. */
  extras?: Readonly<Record<string, number>>
  /** The lines of several servers. */
  lines?: string
}

/** Keeps the order during the payment, which leads through the pages of a payment service in this same tab. */
export function interruptOrder(order: InterruptedOrder): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify(order))
  } catch {
    // The storage is full or forbidden: the order is typed again then.
  }
}

/** Returns the order that waits for money, if there is one. */
export function waitingOrder(): InterruptedOrder | undefined {
  try {
    const order: unknown = JSON.parse(sessionStorage.getItem(key()) ?? 'null')
    return isOrder(order) ? order : undefined
  } catch {
    return undefined
  }
}

/** Returns the order that waits for this dialog, and removes it from the storage: the dialog begins with it once. */
export function resumeOrder(to: string): InterruptedOrder | undefined {
  const order = waitingOrder()
  if (order?.to !== to) return undefined
  sessionStorage.removeItem(key())
  return order
}

// The key contains the account: the next person at this screen does not find the order.
const key = () => `order:${storedSession.user()?.id ?? ''}`

const isOrder = (value: unknown): value is InterruptedOrder =>
  ['to', 'plan'].every((name) => typeof propertyOf(value, name) === 'string')
