import type { LinkKind } from '#foundation/approvals.ts'
import type { Permission } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Allowances, By, PreviewLine, RequestedAct, RequestedMoney } from './requested-act.ts'

/** An action of staff that may need a second person; features list theirs in `server/approvable.ts`. */
export type ApprovableAct<Input = unknown, Asked extends RequestedAct<Input> = RequestedAct<Input>> = {
  /** The name of the action; the permission's where there is none, as several actions may need the same permission. */
  name?: string
  permission: Permission
  /**
   * The allowances of actions whose amount alone can make them wait; others wait for a soft link, and where their call says so.
   */
  allowances?: (config: Config) => Allowances
  /** Locks that `run` takes and that others take before they end proposals: they come before the row of the approval (rule 9). */
  lock?: (tx: Tx) => Promise<void>
  /**
   * Does it and writes its audit line, in the transaction of the call or of the approval. Throws HttpError where its own rules
   * refuse it. `body` is the answer of its call, `result` what the approval keeps.
   */
  run(app: App, tx: Tx, act: Asked, by: By): Promise<{ body: object; result: object }>
  /** The consequences if it ran now. */
  preview(app: App, act: Asked): Promise<PreviewLine[]>
}

/** An action with an amount. */
export type MoneyMove<Input> = ApprovableAct<Input, RequestedMoney<Input>>

export type MoneyAct<Input> = MoneyMove<Input> & {
  allowances: (config: Config) => Allowances
}

/** An action as its call wants it: with the facts that the member shares with the customer; `always` waits whatever the amount. */
export type Plan<Asked> = Asked & { links: readonly LinkKind[]; always?: boolean }

export const nameOf = ({ name, permission }: Pick<ApprovableAct, 'name' | 'permission'>): string =>
  name ?? permission.name

export function actByName(app: App, name: string): ApprovableAct {
  const act = app.approvable.find((one) => nameOf(one) === name)
  if (!act) throw new Error(`No feature runs ${name}.`)
  return act
}
