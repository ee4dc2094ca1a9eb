import type { Role } from '#foundation/roles.ts'

/** How much a member of each role may move alone, in minor units. */
export type Allowances = Readonly<Record<Role, bigint>>

/** An action that a member of staff requests. `input` holds its further values, as JSON. */
export type RequestedAct<Input = unknown> = {
  /** Null where the action concerns no customer, or none yet. */
  customer_id: string | null
  /** Minor units; null where no money moves. */
  amount: bigint | null
  input: Input
  reason: string
}

/** An action on the money of a customer. */
export type RequestedMoney<Input = unknown> = RequestedAct<Input> & { customer_id: string; amount: bigint }

/** The people behind an action that runs now, for its audit line. */
export type By = {
  /** The member who requested the action. */
  by: string
  /** The second member, who approved the action. */
  approved_by?: string
  /** True if the action should have waited for a second member, and there was none. */
  alone?: true
  origin: { ip: string; user_agent: string; request_id: string }
}

/** One line of the preview of an action; amounts in minor units. Pages have a text for each code. */
export type PreviewLine = { code: string; params: Record<string, string> }
