/** True for a text in which nothing can be seen: blanks, controls, joiners, fillers, marks of direction. */
export const isBlank = (text: string): boolean => !/[^\s\p{Cc}\p{Cf}\p{Z}\p{DI}\u2800]/u.test(text)
