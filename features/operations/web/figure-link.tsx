import { Link } from '#foundation/web/navigation.tsx'
import { classNames } from '#foundation/web/ui/class-names.ts'

type Props = { to: string; name: string; value: string; detail: string; className: string }

/** A figure of the page Today, which leads to the list that it counts. `className` says how much room it takes. */
export const FigureLink = ({ to, name, value, detail, className }: Props) => (
  <Link to={to} className={classNames(linkClass, className)}>
    <span className="text-sm font-medium">{name}</span>
    <span className="row-span-2 text-3xl font-semibold tracking-tight">{value}</span>
    <span className="text-sm text-muted">{detail}</span>
  </Link>
)

/** The value stands beside the words. */
const linkClass =
  'grid grid-cols-[1fr_auto] content-center items-center gap-x-4 gap-y-1 rounded-lg border border-line bg-surface px-5 py-3 ' +
  'transition-colors duration-150 hover:bg-hover active:bg-sunken'
