import { useState } from 'react'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { isRecord } from '#foundation/web/property.ts'

/** The acts that are done with the reply that is being written; they are kept as its text is. */
export type DraftActs = {
  acts: Acts | undefined
  planActs: (acts: Acts | undefined) => void
  /** Returns the acts for the message that is sent now, and forgets them. */
  takeActs: () => { acts?: Acts }
}

export function useDraftActs(name: string): DraftActs {
  const kept = `${name}:acts`
  const [acts, setActs] = useState(() => read(kept))
  const planActs = (next: Acts | undefined) => {
    setActs(next)
    drafts.write(kept, next ? JSON.stringify(next) : '')
  }
  return {
    acts,
    planActs,
    takeActs: () => {
      planActs(undefined)
      return acts ? { acts } : {}
    },
  }
}

function read(name: string): Acts | undefined {
  try {
    const stored: unknown = JSON.parse(drafts.read(name) || 'null')
    return isActs(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

/** This page alone writes the text, and the server judges it. */
const isActs = (stored: unknown): stored is Acts => isRecord(stored)
