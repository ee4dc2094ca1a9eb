import { useRef, useState } from 'react'

/**
 * The hook of all buttons that act: `const end = useAct(async () => …)`, and a button with `pending={end.pending} onClick={end.run}`.
 * `act` calls, refreshes, and says how it ended. Further presses are ignored while it runs, so that a double click acts once.
 */
export function useAct<Arguments extends unknown[]>(act: (...given: Arguments) => Promise<unknown>) {
  const running = useRef(false)
  const [pending, setPending] = useState(false)
  const run = async (...given: Arguments): Promise<void> => {
    if (running.current) return
    running.current = true
    setPending(true)
    try {
      await act(...given)
    } finally {
      running.current = false
      setPending(false)
    }
  }
  return { pending, run: (...given: Arguments) => void run(...given) }
}
