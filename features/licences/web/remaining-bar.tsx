import { isTerm, months } from '#features/licences/rules.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'

/**
 * The part of a term that is left, as a bar: the text beside it states the same. Several terms paid ahead
 * fill it. Drawn as a picture, because its width is a number and the page may not carry styles of its own.
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

/** How long a term is, on average. */
export const lengthOf = (term: string): number => (isTerm(term) ? months[term] : 1) * MONTH_s
