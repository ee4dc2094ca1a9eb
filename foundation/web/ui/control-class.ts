/** The look of a control to type into or choose from. */
export const controlClass =
  'h-11 w-full rounded-md border border-line-strong bg-surface px-3 text-base text-text sm:h-9 sm:text-sm ' +
  'placeholder:text-faint transition-colors duration-150 hover:border-muted ' +
  'disabled:bg-sunken disabled:text-muted aria-invalid:border-danger'
