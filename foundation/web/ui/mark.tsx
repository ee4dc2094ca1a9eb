import { operator } from '#foundation/web/operator.ts'

/** The operator's logo, or the mark of the product, which is a rack unit and a speech bubble in one, in the accent colour. */
export function Mark({ size = 24 }: { size?: number }) {
  if (operator.logo) return <img src={operator.logo} alt="" height={size} className="w-auto max-w-32" />
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <path
        d="M6 3h12a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3h-6.5L7 21.4a.6.6 0 0 1-1-.45V18a3 3 0 0 1-3-3V6a3 3 0 0 1 3-3Z"
        className="fill-accent"
      />
      <path d="M7 8h6M7 13h6" stroke="white" strokeWidth="2" strokeLinecap="round" />
      <circle cx="16.8" cy="8" r="1.2" fill="white" />
      <circle cx="16.8" cy="13" r="1.2" fill="white" />
    </svg>
  )
}
