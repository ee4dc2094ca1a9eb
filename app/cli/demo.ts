import { removeDemo, retireDemo, type Removed } from '#app/seed/remove-demo.ts'
import type { Answer } from './answer.ts'
import type { CommandEnvironment } from './environment.ts'
import { withApp } from './with-app.ts'

/** `demo remove`. Throws Refused if real accounts have bookings beside those of the example accounts. */
export async function removeExamples(surroundings: CommandEnvironment): Promise<Answer> {
  return await withApp(surroundings, async (app) =>
    answerOf('Removed, with all that was theirs', await removeDemo(app)),
  )
}

/** `demo retire`: for an installation in which `demo remove` refuses. */
export async function retireExamples(surroundings: CommandEnvironment): Promise<Answer> {
  return await withApp(surroundings, async (app) => answerOf('Erased; the books stay', await retireDemo(app)))
}

function answerOf(done: string, { emails, keptPlans, withdrawnArticles }: Removed): Answer {
  const lines = [emails.length > 0 ? `${done}: ${emails.join(', ')}.` : 'No example account is here.']
  if (keptPlans.length > 0)
    lines.push(
      `These plans are no longer as the demo made them, or were sold, and stay: ${keptPlans.join(', ')}.`,
    )
  if (withdrawnArticles > 0)
    lines.push(
      `Articles of the help centre that nobody had changed are withdrawn: ${withdrawnArticles}. Publish or delete them on the page Help centre.`,
    )
  return { lines, data: { emails, kept_plans: keptPlans, withdrawn_articles: withdrawnArticles } }
}
