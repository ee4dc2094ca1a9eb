/** How many of the six columns of a form a field takes where there is room. */
export const columnSpans = {
  2: 'sm:col-span-2',
  3: 'sm:col-span-3',
  4: 'sm:col-span-4',
  6: 'sm:col-span-6',
} as const
