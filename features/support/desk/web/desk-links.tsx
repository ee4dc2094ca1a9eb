import { paths } from '#features/paths.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { m } from '#texts/messages.js'

/** The pages beside the list of tickets that have no place of their own in the menu. */
export function DeskLinks() {
  return (
    <>
      <ButtonLink to={paths.help()}>{m.help_title()}</ButtonLink>
      <ButtonLink to={paths.answerTimes()}>{m.desk_answer_times()}</ButtonLink>
      <ButtonLink to={paths.supportReport()}>{m.desk_reports()}</ButtonLink>
    </>
  )
}
