import { useEffect, useState } from 'react'
import { loadErrorTexts } from './error-text.ts'

/** True once the texts of errors are there, for an error that came with data: a call that is refused loads them before it answers. */
export function useErrorTexts(isNeeded = true): boolean {
  const [loaded, setLoaded] = useState(false)
  useEffect(() => {
    if (isNeeded) void loadErrorTexts().then(() => setLoaded(true))
  }, [isNeeded])
  return loaded
}
