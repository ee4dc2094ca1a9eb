/** A session, and the standing with which its stream was opened: as staff or not, from a network from which staff may work or not. */
export type Reader = { session_id: bigint; generation: number; is_staff: boolean; in_staff_network: boolean }

/** Undefined `after` asks for no events, only for the last number of the topic. */
export type Position = { topic: string; after: number | undefined }

const partsOf = (reader: Reader, positions: readonly Position[]) => ({
  session: String(reader.session_id),
  generation: String(reader.generation),
  staff: String(reader.is_staff),
  near: String(reader.in_staff_network),
  topics: positions.map(({ topic }) => topic).join(','),
  afters: positions.map(({ after }) => after ?? 'null').join(','),
})

/** One reader's parts of the arrays for PostgreSQL, or the arrays of many readers. */
type Parts = ReturnType<typeof partsOf>

/** The question for a reader. It stays the same object until the reader's position changes. */
export type Question = Parts & {
  /** The last batch of questions of which this one was the first, and the arrays that were made of them. */
  together: { questions: readonly Question[]; arrays: Parts } | undefined
}

export const questionOf = (reader: Reader, positions: readonly Position[]): Question => ({
  ...partsOf(reader, positions),
  together: undefined,
})

/**
 * Returns the arrays for PostgreSQL with the questions of many readers. The questions of quiet readers are asked together each second.
 * Arrays printed again each time would be most of the garbage of a quiet process, so the arrays of the last time are used again.
 */
export function arraysOf(questions: readonly Question[]): Parts {
  const [first] = questions
  if (first?.together && isSame(first.together.questions, questions)) return first.together.arrays
  const all = (part: keyof Parts) => `{${questions.map((question) => question[part]).join(',')}}`
  const arrays = {
    session: all('session'),
    generation: all('generation'),
    staff: all('staff'),
    near: all('near'),
    topics: all('topics'),
    afters: all('afters'),
  }
  if (first) first.together = { questions, arrays }
  return arrays
}

function isSame(some: readonly Question[], others: readonly Question[]): boolean {
  if (some.length !== others.length) return false
  for (let place = 0; place < some.length; place += 1) if (some[place] !== others[place]) return false
  return true
}
