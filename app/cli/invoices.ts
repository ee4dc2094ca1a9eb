import { redraw } from '#features/invoices/server/invoices.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** `invoice redraw NUMBER`: for what was drawn by an older release and does not validate. Throws for an unknown number. */
export const redrawInvoice = (surroundings: CommandEnvironment, number: string) =>
  withApp(surroundings, async (app): Promise<Answer> => {
    const version = await redraw(app, number.trim())
    const line = `${number} has version ${version} of its documents now; those before are kept.`
    return { lines: [line], data: { number, version } }
  })
