import type { Role } from '#foundation/roles.ts'

/** How much a member of each role may move alone, in minor units. */
export type Allowances = Readonly<Record<Role, bigint>>

/** An action as a member wants it. `input` holds what it needs besides, as JSON. */
export type RequestedAct<Input = unknown> = {
  customer_id: string
  amount: bigint
  input: Input
  reason: string
}

/** The people behind an action that runs now, for its audit line. */
export type By = {
  /** The member who wanted it. */
  by: string
  /** The second member. */
  approved_by?: string
  /** Above the allowance, and there was no second member. */
  alone?: true
  origin: { ip: string; user_agent: string; request_id: string }
}

/** One line of what will happen; amounts in minor units. Pages have a text for each code. */
export type PreviewLine = { code: string; params: Record<string, string> }
