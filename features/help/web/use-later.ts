import { useEffect, useState } from 'react'

/** Returns a text once it has not changed for this time. */
export function useLater(text: string, pause_ms: number): string {
  const [later, setLater] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setLater(text), pause_ms)
    return () => clearTimeout(timer)
  }, [text, pause_ms])
  return later
}
