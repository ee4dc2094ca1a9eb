/** A turning ring for places too small for words. It is decoration: the element that waits has a text of its own. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-pulse"
    />
  )
}
