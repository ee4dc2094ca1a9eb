export { useUsableMethods } from './hooks.ts'
export { MethodChoices, methodIn } from './method-choices.tsx'
