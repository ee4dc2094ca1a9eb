/** A turning ring. It is hidden from screen readers, because the element that waits has a text of its own. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-pulse"
    />
  )
}
