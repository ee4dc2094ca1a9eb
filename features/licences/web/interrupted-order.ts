import { propertyOf } from '#foundation/web/property.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'

/** An order that has to wait for money: where it continues, and what was chosen and typed. */
export type InterruptedOrder = {
  to: string
  plan: string
  name?: string
  ipv4?: string
  reference?: string
  buyer?: Record<string, string>
}

/** Keeps the order while its money is fetched. The way leads through the pages of a payment service, in this same tab. */
export function interruptOrder(order: InterruptedOrder): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify(order))
  } catch {
    // A full or forbidden storage: it is typed again then.
  }
}

/** The order that waits, if one does. */
export function waitingOrder(): InterruptedOrder | undefined {
  try {
    const order: unknown = JSON.parse(sessionStorage.getItem(key()) ?? 'null')
    return isOrder(order) ? order : undefined
  } catch {
    return undefined
  }
}

/** The order that waits for this dialog: it begins with it, once. */
export function resumeOrder(to: string): InterruptedOrder | undefined {
  const order = waitingOrder()
  if (order?.to !== to) return undefined
  sessionStorage.removeItem(key())
  return order
}

// By account: the next person at this screen does not find it.
const key = () => `order:${storedSession.user()?.id ?? ''}`

const isOrder = (value: unknown): value is InterruptedOrder =>
  ['to', 'plan'].every((name) => typeof propertyOf(value, name) === 'string')
