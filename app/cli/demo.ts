import { removeDemo, retireDemo, type Removed } from '#app/seed/remove-demo.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** `demo remove`. Throws where there are real bookings beside the example ones. */
export async function removeExamples(surroundings: CommandEnvironment): Promise<void> {
  await withApp(surroundings, async (app) =>
    printRemoval('Removed, with all that was theirs', await removeDemo(app)),
  )
}

/** `demo retire`: the way out where `demo remove` refuses. */
export async function retireExamples(surroundings: CommandEnvironment): Promise<void> {
  await withApp(surroundings, async (app) => printRemoval('Erased; the books stay', await retireDemo(app)))
}

function printRemoval(done: string, { emails, keptPlans }: Removed): void {
  const said = emails.length > 0 ? `${done}: ${emails.join(', ')}.` : 'No example account is here.'
  process.stdout.write(`${said}\n`)
  if (keptPlans.length > 0)
    process.stdout.write(
      `These plans are no longer as the demo made them, or were sold, and stay: ${keptPlans.join(', ')}.\n`,
    )
}
