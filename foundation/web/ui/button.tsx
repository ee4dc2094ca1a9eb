import type { ComponentProps, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Spinner } from './spinner.tsx'

export type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'outline'

type Props = Omit<ComponentProps<'button'>, 'className'> & {
  look?: ButtonVariant
  size?: 'small' | 'normal'
  /** Shows progress inside the button and ignores clicks, without taking the focus away as `disabled` would. */
  pending?: boolean
  icon?: ReactNode
  wide?: boolean
}

export function Button({
  look = 'secondary',
  size = 'normal',
  pending = false,
  icon,
  wide,
  children,
  ...rest
}: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={buttonClass(look, size, wide)}
      aria-disabled={pending || rest['aria-disabled']}
      aria-busy={pending}
      onClick={pending ? (event) => event.preventDefault() : rest.onClick}
    >
      {pending ? <Spinner /> : icon}
      <span className="contents">{children}</span>
    </button>
  )
}

/** Returns the CSS classes of a button, for links that the customer shall see as buttons. */
export function buttonClass(look: ButtonVariant, size: 'small' | 'normal' = 'normal', wide = false): string {
  return classNames(
    'inline-flex max-w-full shrink-0 cursor-pointer items-center justify-center gap-2 rounded-md border font-medium',
    'whitespace-nowrap max-sm:whitespace-normal select-none duration-150 transition-colors',
    'disabled:cursor-default disabled:opacity-50 aria-disabled:cursor-default',
    size === 'small' ? 'min-h-8 px-3 py-1 text-sm' : 'min-h-11 px-4 py-1 text-base sm:min-h-9 sm:text-sm',
    wide && 'w-full',
    LOOKS[look],
  )
}

/** The CSS classes of the actions in the head of a page or card. The head decides how high its buttons are, so that all are equal. */
export const headActionsClass =
  'flex flex-wrap items-center gap-2 [&>:is(a,button).border]:min-h-11 max-sm:[&>button.border]:px-3 sm:[&>:is(a,button).border]:min-h-9'

const LOOKS: Readonly<Record<ButtonVariant, string>> = {
  primary: 'border-transparent bg-accent text-on-accent hover:bg-accent-strong',
  secondary: 'border-line bg-surface text-text hover:bg-hover',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-text',
  outline: 'border-danger-line bg-surface text-danger-text hover:bg-danger-soft',
  danger: 'border-transparent bg-danger text-on-danger hover:bg-danger-strong',
}
