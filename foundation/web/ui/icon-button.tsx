import type { ComponentProps, ReactNode } from 'react'

type Props = Omit<ComponentProps<'button'>, 'className' | 'children'> & { label: string; icon: ReactNode }

/** A button that shows only an icon; its label is read out and shown as a tooltip. */
export function IconButton({ label, icon, ...rest }: Props) {
  return (
    <button type="button" title={label} aria-label={label} {...rest} className={iconButtonClass}>
      {icon}
    </button>
  )
}

/** The CSS classes of such a button, for the button of a menu. */
export const iconButtonClass =
  'inline-flex size-9 shrink-0 cursor-pointer items-center justify-center rounded-md text-muted ' +
  'transition-colors duration-150 hover:bg-hover hover:text-text'
