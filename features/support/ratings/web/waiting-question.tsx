/** The height of the question how the answers were, in two lines on a phone. */
export const questionHeight = 'min-h-16 sm:min-h-8'

/** Keeps the place of the question until it comes, so that the messages above it stay in their place. */
export const WaitingQuestion = () => <div className={questionHeight} />
