import { isTerm, months } from '#features/licences/rules.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'

/**
 * A bar with the part of a term that is left, which the text beside it states, too. It is full if several terms
 * are paid ahead. It is an SVG, because its width is a number and the page may not have inline styles.
 */
export function RemainingBar({ remaining_s, whole_s }: { remaining_s: number; whole_s: number }) {
  const share = Math.min(1, remaining_s / whole_s)
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 100 1"
      preserveAspectRatio="none"
      className="mt-2 block h-1.5 w-full overflow-hidden rounded-full bg-hover"
    >
      <rect
        width={100 * share}
        height="1"
        className={classNames(remaining_s < WEEK_s ? 'fill-warning' : 'fill-success')}
      />
    </svg>
  )
}

const WEEK_s = 7 * 86_400
const MONTH_s = 30.4375 * 86_400

/** Returns the average length of a term, in seconds. */
export const lengthOf = (term: string): number => (isTerm(term) ? months[term] : 1) * MONTH_s
