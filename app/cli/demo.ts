import { removeDemo } from '#database/cast/remove-demo.ts'
import type { Surroundings } from './surroundings.ts'
import { withApp } from './with-app.ts'

/** `demo remove`. Throws where real bookings stand beside the example ones. */
export async function removeExamples(surroundings: Surroundings): Promise<void> {
  await withApp(surroundings, async (app) => {
    const { emails, keptPlans } = await removeDemo(app)
    const said =
      emails.length > 0
        ? `Removed, with all that was theirs: ${emails.join(', ')}.`
        : 'No example account is here.'
    process.stdout.write(`${said}\n`)
    if (keptPlans.length > 0)
      process.stdout.write(
        `These plans are no longer as the demo made them, and stay: ${keptPlans.join(', ')}.\n`,
      )
  })
}
