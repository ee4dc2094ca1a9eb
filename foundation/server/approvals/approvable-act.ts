import type { LinkKind } from '#foundation/approvals.ts'
import type { Permission } from '#foundation/roles.ts'
import type { App } from '#foundation/server/app.ts'
import type { Config } from '#foundation/server/config.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Allowances, By, PreviewLine, RequestedAct } from './requested-act.ts'

/** An action of staff that may need a second person; features list theirs in `server/approvable.ts`. Its name is its permission's. */
export type ApprovableAct<Input = unknown> = {
  permission: Permission
  allowances: (config: Config) => Allowances
  /**
   * Does it and writes its audit line, in the transaction of the call or of the approval. Throws HttpError where its own rules
   * refuse it. `body` is the answer of its call, `result` what the approval keeps.
   */
  run(app: App, tx: Tx, act: RequestedAct<Input>, by: By): Promise<{ body: object; result: object }>
  /** The consequences if it ran now. */
  preview(app: App, act: RequestedAct<Input>): Promise<PreviewLine[]>
}

/** An action as its call wants it, with the facts that the member shares with the customer. */
export type Plan<Input> = RequestedAct<Input> & { links: readonly LinkKind[] }

export function actByName(app: App, name: string): ApprovableAct {
  const act = app.approvable.find(({ permission }) => permission.name === name)
  if (!act) throw new Error(`No feature runs ${name}.`)
  return act
}
