import type { LinkKind } from '#foundation/approvals.ts'
import type { Permission } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Allowances, By, PreviewLine, RequestedAct, RequestedMoney } from './requested-act.ts'

/** An action of staff that may need a second person; features list theirs in `server/approvable.ts`. */
export type ApprovableAct<Input = unknown, Asked extends RequestedAct<Input> = RequestedAct<Input>> = {
  /**
   * The name of the action; if absent, the name of its permission. Several actions that need the same permission have names of their own.
   */
  name?: string
  permission: Permission
  /**
   * The allowances of an action whose amount alone can make it wait. Without allowances an action waits only if its plan says `always`, or
   * has `links` (facts that the member shares with the customer).
   */
  allowances?: (config: Config) => Allowances
  /**
   * Takes the locks that `run` needs, and that other calls take before they end proposals. It is called before the row of the approval is
   * locked (rule 9).
   */
  lock?: (tx: Tx) => Promise<void>
  /**
   * Runs the action and writes its audit line, in the transaction of the call or of the approval. Throws HttpError if the rules of the
   * action refuse it. `body` is the answer of the call, `result` is kept with the approval.
   */
  run(app: App, tx: Tx, act: Asked, by: By): Promise<{ body: object; result: object }>
  /** Returns the consequences that the action would have now. */
  preview(app: App, act: Asked): Promise<PreviewLine[]>
}

/** An action with an amount. */
export type MoneyMove<Input> = ApprovableAct<Input, RequestedMoney<Input>>

export type MoneyAct<Input> = MoneyMove<Input> & {
  allowances: (config: Config) => Allowances
}

/**
 * An action as its call requests it. `links` are the facts that the member shares with the customer; with `always` the action waits
 * whatever its amount.
 */
export type Plan<Asked> = Asked & { links: readonly LinkKind[]; always?: boolean }

export const nameOf = ({ name, permission }: Pick<ApprovableAct, 'name' | 'permission'>): string =>
  name ?? permission.name

export function actByName(app: App, name: string): ApprovableAct {
  const act = app.approvable.find((one) => nameOf(one) === name)
  if (!act) throw new Error(`No feature runs ${name}.`)
  return act
}
