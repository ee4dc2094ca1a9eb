/** A turning ring for places too small for words. It is decoration: what waits has its own text. */
export function Spinner() {
  return (
    <span
      aria-hidden="true"
      className="size-4 animate-spin rounded-full border-2 border-current border-r-transparent motion-reduce:animate-pulse"
    />
  )
}
