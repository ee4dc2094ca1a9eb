/** A session, and as what its stream was opened: as staff or not, from a network from which staff may work or not. */
export type Reader = { session_id: bigint; generation: number; is_staff: boolean; in_staff_network: boolean }

/** Undefined `after` asks for no events, only for the last number of the topic. */
export type Position = { topic: string; after: number | undefined }

/** The question for a reader, in parts of arrays of PostgreSQL. It stays the same object until the reader's position changes. */
export const questionOf = (reader: Reader, positions: readonly Position[]) => ({
  session: String(reader.session_id),
  generation: String(reader.generation),
  staff: String(reader.is_staff),
  near: String(reader.in_staff_network),
  topics: positions.map(({ topic }) => topic).join(','),
  afters: positions.map(({ after }) => after ?? 'null').join(','),
})
export type Question = ReturnType<typeof questionOf>

type Asked = { questions: readonly Question[]; arrays: Question }

const askedBefore = new WeakMap<Question, Asked>()

/**
 * The arrays of PostgreSQL for many readers. Quiet readers are asked for together each second: printed anew, their arrays would be
 * most of the garbage of a quiet process, so those of the last time are used again.
 */
export function arraysOf(questions: readonly Question[]): Question {
  const [first] = questions
  const before = first && askedBefore.get(first)
  if (before && isSame(before.questions, questions)) return before.arrays
  const all = (part: keyof Question) => `{${questions.map((question) => question[part]).join(',')}}`
  const arrays = {
    session: all('session'),
    generation: all('generation'),
    staff: all('staff'),
    near: all('near'),
    topics: all('topics'),
    afters: all('afters'),
  }
  if (first) askedBefore.set(first, { questions, arrays })
  return arrays
}

function isSame(some: readonly Question[], others: readonly Question[]): boolean {
  if (some.length !== others.length) return false
  for (let place = 0; place < some.length; place += 1) if (some[place] !== others[place]) return false
  return true
}
