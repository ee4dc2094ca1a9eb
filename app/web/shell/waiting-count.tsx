import { shownCount } from '#foundation/web/i18n/shown-count.ts'

type Props = { count: number; text: (values: { count: string }) => string }

/** The number of things that wait for the user. Screen readers read it in words, because their users do not see the item beside it. */
export function WaitingCount({ count, text }: Props) {
  if (count === 0) return null
  return (
    <span className="rounded-full bg-accent px-1.5 text-xs leading-5 text-on-accent tabular-nums">
      <span aria-hidden="true">{shownCount(count)}</span>
      <span className="sr-only">{text({ count: shownCount(count) })}</span>
    </span>
  )
}
