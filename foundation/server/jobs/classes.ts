/**
 * The classes of jobs (rule 48), the most urgent first: mails and acts of security, replies that somebody waits for, money,
 * the rest, and heavy work that computes for seconds.
 */
export const classes = ['security', 'replies', 'money', 'rest', 'heavy'] as const
export type JobClass = (typeof classes)[number]

/**
 * The places of each class: how many of its jobs a process does at once. No class uses the places of another, so that no class waits for
 * another. The jobs of one kind leave a place of their class free, so that mails to a server that hangs hold up no renewal.
 */
export const places: Readonly<Record<JobClass, number>> = {
  security: 4,
  replies: 3,
  money: 4,
  rest: 3,
  heavy: 2,
}

/** The name and class of a job, used both where the job is enqueued and where it is done. */
export type JobKind = { name: string; class: JobClass }

export const jobKind = (name: string, its: JobClass): JobKind => ({ name, class: its })
