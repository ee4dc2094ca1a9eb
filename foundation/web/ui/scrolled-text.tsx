import { classNames } from './class-names.ts'

/** Text of somebody else, as long as it is: what does not fit is scrolled to. `className` limits the height. */
export const ScrolledText = ({ text, className }: { text: string; className: string }) => (
  <p
    dir="auto"
    // Focusable, so that keys scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    tabIndex={0}
    className={classNames('overflow-y-auto whitespace-pre-wrap [overflow-wrap:anywhere]', className)}
  >
    {text}
  </p>
)
